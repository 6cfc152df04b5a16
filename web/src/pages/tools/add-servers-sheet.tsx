import { useDeferredValue, useState } from 'react';
import type { ConfigChange } from '../../../../src/contract/operations/config.ts';
import { ConfigEditForm } from '../../config-edit/config-edit-form.tsx';
import { Field, TextArea, TextInput } from '../../kit/field.tsx';
import { Sheet } from '../../kit/floating.tsx';
import { Segments } from '../../kit/segments.tsx';

type Way = 'paste' | 'command' | 'url';
const ways: readonly { value: Way; label: string }[] = [
  { value: 'paste', label: 'Paste JSON' },
  { value: 'command', label: 'Command' },
  { value: 'url', label: 'URL' },
];

const EXAMPLE = `{
  "mcpServers": {
    "memory": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-memory"] }
  }
}`;

/** Adds upstream servers: pasted from a README or another client, or filled in by hand. */
export function AddServersSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Sheet open={open} onClose={onClose} title="Add MCP servers" wide>
      {open ? <AddServers onDone={onClose} /> : null}
    </Sheet>
  );
}

function AddServers({ onDone }: { onDone: () => void }) {
  const [way, setWay] = useState<Way>('paste');
  const [pasted, setPasted] = useState('');
  const [entry, setEntry] = useState({ name: '', command: '', env: '', url: '', headers: '' });
  const change = useDeferredValue(way === 'paste' ? fromPaste(pasted) : fromEntry(way, entry));
  const field = (key: keyof typeof entry, label: string, hint: string, placeholder: string) => (
    <Field label={label} hint={hint}>
      {(ids) => {
        const Control = key === 'env' || key === 'headers' ? TextArea : TextInput;
        return (
          <Control
            {...ids}
            className="font-mono"
            placeholder={placeholder}
            value={entry[key]}
            onChange={({ target }: { target: { value: string } }) =>
              setEntry({ ...entry, [key]: target.value })
            }
          />
        );
      }}
    </Field>
  );
  return (
    <div className="grid gap-5">
      <Segments label="How to add" value={way} options={ways} onChange={setWay} />
      {way === 'paste' ? (
        <Field
          label="Servers"
          hint="mcpServers from a README or another client, as JSON or TOML. Secrets are replaced by variables and not written to the file."
        >
          {(ids) => (
            <TextArea
              {...ids}
              autoFocus
              rows={8}
              spellCheck={false}
              className="font-mono text-xs"
              placeholder={EXAMPLE}
              value={pasted}
              onChange={({ target }) => setPasted(target.value)}
            />
          )}
        </Field>
      ) : (
        <div className="grid gap-4">
          {field('name', 'Name', 'Its tools are called NAME.tool.', 'memory')}
          {way === 'command' ? (
            <>
              {field('command', 'Command', 'As in a terminal.', 'npx -y @modelcontextprotocol/server-memory')}
              {field(
                'env',
                'Variables',
                'One NAME=value per line. Secrets become references.',
                'LOG_LEVEL=info',
              )}
            </>
          ) : (
            <>
              {field(
                'url',
                'URL',
                'If the server requires a sign-in, you sign in afterwards.',
                'https://mcp.example.com/mcp',
              )}
              {field(
                'headers',
                'Headers',
                'One Name=value per line. Secrets become references.',
                'X-Team=platform',
              )}
            </>
          )}
        </div>
      )}
      <ConfigEditForm change={change} onDone={onDone} />
    </div>
  );
}

function fromPaste(text: string): ConfigChange | null {
  return text.trim() === '' ? null : { kind: 'paste-servers', text };
}

function fromEntry(
  way: Way,
  { name, command, env, url, headers }: Record<'name' | 'command' | 'env' | 'url' | 'headers', string>,
): ConfigChange | null {
  const [program, ...args] = splitCommand(command);
  if (name.trim() === '' || (way === 'command' ? program === undefined : url.trim() === '')) return null;
  const given =
    way === 'command'
      ? { command: program, args, env: readPairs(env) }
      : { url: url.trim(), headers: readPairs(headers) };
  return { kind: 'add-servers', servers: [{ name: name.trim(), from: 'you', given }], all: true };
}

/** Words, with quotes as in a shell. */
function splitCommand(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );
}

const readPairs = (text: string): Record<string, string> =>
  Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const at = line.indexOf('=');
      return at > 0 ? [[line.slice(0, at).trim(), line.slice(at + 1).trim()]] : [];
    }),
  );
