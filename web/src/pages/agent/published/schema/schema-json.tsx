import { json } from '@codemirror/lang-json';
import { useEffect, useRef, useState } from 'react';
import type { ToolInputSchema } from '../../../../../../src/contract/parameters.ts';
import { CodeEditor } from '../../../../kit/editor/code-editor.tsx';
import { isSame } from '../../draft/merge-draft.ts';
import { loadContract, parseSchema } from './parse-schema.ts';

const language = json();

interface SchemaJsonProps {
  schema: ToolInputSchema;
  disabled: boolean;
  onChange: (schema: ToolInputSchema) => void;
}

/** The same parameters as JSON Schema. A text that is not valid yet stays here and changes nothing. */
export function SchemaJson({ schema, disabled, onChange }: SchemaJsonProps) {
  const [edited, setEdited] = useState<{ text: string; of: ToolInputSchema; problem: string | null } | null>(
    null,
  );
  const asked = useRef(0);
  useEffect(() => void loadContract(), []);
  const current = edited && isSame(edited.of, schema) ? edited : null;
  const read = async (text: string): Promise<void> => {
    setEdited({ text, of: schema, problem: current?.problem ?? null });
    asked.current += 1;
    const turn = asked.current;
    const parsed = await parseSchema(text);
    if (turn !== asked.current) return;
    if ('problem' in parsed) return setEdited({ text, of: schema, problem: parsed.problem });
    setEdited({ text, of: parsed.schema, problem: null });
    onChange(parsed.schema);
  };
  const text = current?.text ?? JSON.stringify(schema, null, 2);
  return (
    <div className="grid content-start gap-2">
      <CodeEditor
        label="Parameters as JSON Schema"
        value={text}
        language={language}
        readOnly={disabled}
        onChange={(next) => {
          if (next !== text) void read(next);
        }}
        className="rounded-md border border-line-strong bg-sheet focus-within:border-leaf"
      />
      {current?.problem ? (
        <p role="alert" className="text-xs break-words text-danger">
          {current.problem}
        </p>
      ) : null}
    </div>
  );
}
