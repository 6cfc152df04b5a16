import { useDeferredValue, useState } from 'react';
import type { ConfigChange, NewSource } from '../../../../src/contract/operations/config.ts';
import { suggestSourceName } from '../../../../src/contract/source-name.ts';
import { ConfigEditForm } from '../../config-edit/config-edit-form.tsx';
import { Field, TextInput } from '../../kit/field.tsx';
import { Sheet } from '../../kit/floating.tsx';
import { Segments } from '../../kit/segments.tsx';

type Type = NewSource['type'];
const types: readonly { value: Type; label: string }[] = [
  { value: 'filesystem', label: 'Folder' },
  { value: 'git', label: 'Git repository' },
  { value: 'web', label: 'Website' },
];

const places: Record<Type, { label: string; hint: string; placeholder: string }> = {
  filesystem: {
    label: 'Folder',
    hint: 'Relative to the config file, or absolute. Changed files are indexed automatically.',
    placeholder: 'docs',
  },
  git: {
    label: 'Address of the repository',
    hint: 'Any URL that git can clone. The hub keeps its own copy.',
    placeholder: 'https://github.com/acme/handbook.git',
  },
  web: {
    label: 'Address of the site',
    hint: 'Reads the pages below this address, respecting robots.txt.',
    placeholder: 'https://docs.example.com/',
  },
};

/** Adds a knowledge source to a config. */
export function AddSourceSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Sheet open={open} onClose={onClose} title="Add a source" wide>
      {open ? <AddSource onDone={onClose} /> : null}
    </Sheet>
  );
}

function AddSource({ onDone }: { onDone: () => void }) {
  const [type, setType] = useState<Type>('filesystem');
  const [place, setPlace] = useState('');
  const [named, setNamed] = useState<string | null>(null);
  const [globs, setGlobs] = useState('');
  const name = named ?? suggestSourceName(place);
  const change = useDeferredValue(toChange(type, place, name, globs));
  const { label, hint, placeholder } = places[type];
  return (
    <div className="grid gap-5">
      <Segments label="Kind of source" value={type} options={types} onChange={setType} />
      <Field label={label} hint={hint}>
        {(ids) => (
          <TextInput
            {...ids}
            autoFocus
            className="font-mono"
            placeholder={placeholder}
            value={place}
            onChange={({ target }) => setPlace(target.value)}
          />
        )}
      </Field>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Name" hint="Used by agents and in searches.">
          {(ids) => (
            <TextInput
              {...ids}
              className="font-mono"
              placeholder="docs"
              value={name}
              onChange={({ target }) => setNamed(target.value)}
            />
          )}
        </Field>
        {type === 'web' ? null : (
          <Field label="Only these files" hint="Globs, separated by commas. Empty: all text files.">
            {(ids) => (
              <TextInput
                {...ids}
                className="font-mono"
                placeholder="**/*.md, adr/**"
                value={globs}
                onChange={({ target }) => setGlobs(target.value)}
              />
            )}
          </Field>
        )}
      </div>
      <ConfigEditForm change={change} onDone={onDone} />
    </div>
  );
}

function toChange(type: Type, place: string, name: string, globs: string): ConfigChange | null {
  const at = place.trim();
  if (at === '' || name === '') return null;
  const include = globs
    .split(',')
    .map((glob) => glob.trim())
    .filter(Boolean);
  const some = include.length === 0 ? {} : { include_globs: include };
  if (type === 'filesystem') return { kind: 'add-source', source: { type, name, root: at, ...some } };
  if (type === 'git') return { kind: 'add-source', source: { type, name, url: at, ...some } };
  return { kind: 'add-source', source: { type, name, url: at } };
}
