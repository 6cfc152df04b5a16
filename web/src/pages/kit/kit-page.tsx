import { Copy, Plus, Search, Trash2, TriangleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { PLATE_SEEDS } from '../../creature/creature-plate.ts';
import { Creature } from '../../creature/creature.tsx';
import { Button, IconButton } from '../../kit/button.tsx';
import { Checkbox, Switch } from '../../kit/choice.tsx';
import { Copyable } from '../../kit/copyable.tsx';
import { Badge, Empty, ErrorNote, Skeleton, WarningNote } from '../../kit/feedback.tsx';
import { Field, SearchInput, TextArea, TextInput } from '../../kit/field.tsx';
import { Confirm, Sheet, Tooltip } from '../../kit/floating.tsx';
import { Menu } from '../../kit/menus/menu.tsx';
import { HUES } from '../../kit/hues.ts';
import { Page } from '../../kit/page.tsx';
import { Segments } from '../../kit/segments.tsx';
import { Select } from '../../kit/selects/select.tsx';
import { notify } from '../../kit/toasts.tsx';
import { SchemaFormPart } from './schema-form-part.tsx';

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-4 border-t border-line py-6 md:grid-cols-[10rem_1fr]">
      <h2 className="font-serif text-lg">{title}</h2>
      <div className="grid gap-4">{children}</div>
    </section>
  );
}

const Row = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap items-center gap-3">{children}</div>
);

const failure = new Error(
  "Agent 'reviewer' is read from zoo.toml and cannot be changed here. Edit the file, or copy the agent to the editor.",
);

/** Every component in every state: what to look at before a component is changed, and where to find one. */
export function KitPage() {
  return (
    <Page title="Components" about="Every component of this app in every state.">
      <Buttons />
      <Controls />
      <Floating />
      <Part title="Feedback">
        <Row>
          <Badge>toml</Badge>
          <Badge tone="leaf">Saved</Badge>
          <Badge tone="amber" icon={<TriangleAlert />}>
            Draft
          </Badge>
          <Badge tone="danger">Changed elsewhere</Badge>
        </Row>
        <ErrorNote error={failure}>
          <Button small>Copy to editor</Button>
        </ErrorNote>
        <WarningNote>2 tools of this agent are not available: github_search, github_comment.</WarningNote>
        <Skeleton />
        <Copyable text="zoo agent create reviewer" />
        <Empty
          title="No agents yet"
          action={<Button look="primary">New agent</Button>}
          command="zoo agent create"
          picture={<Creature seed="specimen-2" size={96} />}
        >
          An agent is a persona, skills and tools that every client of this machine can use.
        </Empty>
      </Part>
      <Part title="Form of a schema">
        <SchemaFormPart />
      </Part>
      <Part title="Category hues">
        <Row>
          {HUES.map((hue) => (
            <span key={hue} data-hue={hue}>
              <Badge tone="hue">{hue}</Badge>
            </span>
          ))}
        </Row>
      </Part>
      <Creatures />
    </Page>
  );
}

function Buttons() {
  return (
    <Part title="Buttons">
      <Row>
        <Button look="primary" icon={<Plus />}>
          New agent
        </Button>
        <Button icon={<Copy />}>Clone</Button>
        <Button look="quiet">Cancel</Button>
        <Button look="danger" icon={<Trash2 />}>
          Delete
        </Button>
        <Button look="primary" keys="Ctrl-S">
          Save
        </Button>
        <IconButton label="Search">
          <Search />
        </IconButton>
      </Row>
      <Row>
        <Button look="primary" disabled>
          New agent
        </Button>
        <Button disabled>Clone</Button>
        <Button look="quiet" disabled>
          Cancel
        </Button>
        <Button look="danger" disabled>
          Delete
        </Button>
      </Row>
      <Row>
        <Button look="primary" small>
          Save draft
        </Button>
        <Button small>Discard</Button>
        <Button look="quiet" small>
          Close
        </Button>
      </Row>
    </Part>
  );
}

function Controls() {
  const [text, setText] = useState('');
  const [isOn, setOn] = useState(true);
  const [mode, setMode] = useState<'interactive' | 'autonomous'>('interactive');
  return (
    <Part title="Controls">
      <div className="grid max-w-xl gap-4">
        <Field label="Name" hint="How people find it." aside={`${text.length} of 200`}>
          {(ids) => <TextInput {...ids} value={text} onChange={({ target }) => setText(target.value)} />}
        </Field>
        <Field label="Id" error="'team' is reserved. Choose another id.">
          {(ids) => <TextInput {...ids} defaultValue="team" />}
        </Field>
        <Field label="Version" hint="Read from a file.">
          {(ids) => <TextInput {...ids} defaultValue="1.0.0" disabled />}
        </Field>
        <Field label="Description" hint="One sentence on what it does.">
          {(ids) => <TextArea {...ids} />}
        </Field>
        <Row>
          <Select
            label="Mode"
            value={mode}
            onChange={setMode}
            options={[
              { value: 'interactive', label: 'Interactive', hint: 'Takes over a chat.' },
              { value: 'autonomous', label: 'Autonomous', hint: 'Works by itself, reached over A2A.' },
            ]}
          />
          <Segments
            label="Mode"
            value={mode}
            onChange={setMode}
            options={[
              { value: 'interactive', label: 'Interactive' },
              { value: 'autonomous', label: 'Autonomous' },
            ]}
          />
          <SearchInput
            label="Search"
            placeholder="Search"
            icon={<Search />}
            onChange={setText}
            className="w-56"
          />
        </Row>
        <Row>
          <Switch label="Skill" checked={isOn} onChange={setOn} />
          <Switch label="Skill, off" checked={!isOn} onChange={(on) => setOn(!on)} />
          <Switch label="Skill, fixed" checked disabled onChange={setOn} />
          <Checkbox label="Required" checked={isOn} onChange={setOn} />
          <Checkbox label="Fixed" checked={false} disabled onChange={setOn} />
        </Row>
      </div>
    </Part>
  );
}

function Floating() {
  const [open, setOpen] = useState<'sheet' | 'confirm' | null>(null);
  const close = (): void => setOpen(null);
  return (
    <Part title="Floating">
      <Row>
        <Menu
          trigger={<Button>Menu</Button>}
          items={[
            { label: 'Clone', icon: <Copy />, onSelect: () => notify('Cloned Reviewer.') },
            'line',
            {
              label: 'Delete',
              icon: <Trash2 />,
              danger: true,
              onSelect: () => notify('Deleted Reviewer.', close),
            },
          ]}
        />
        <Button onClick={() => setOpen('sheet')}>Sheet</Button>
        <Button onClick={() => setOpen('confirm')}>Confirm</Button>
        <Button onClick={() => notify('Saved revision 12.')}>Toast</Button>
        <Button onClick={() => notify('Deleted Reviewer.', () => notify('Reviewer is back.'))}>
          Toast with undo
        </Button>
        <Tooltip text="Tokens of the prompt and of the tools">
          <Button look="quiet">Tooltip</Button>
        </Tooltip>
      </Row>
      <Sheet
        open={open === 'sheet'}
        onClose={close}
        title="Changes"
        footer={
          <Button look="primary" onClick={close}>
            Save
          </Button>
        }
      >
        <Skeleton lines={9} />
      </Sheet>
      <Confirm
        open={open === 'confirm'}
        onClose={close}
        onConfirm={close}
        title="Revoke this token?"
        action="Revoke"
      >
        Clients that use it lose access at once.
      </Confirm>
    </Part>
  );
}

function Creatures() {
  return (
    <Part title="Creatures">
      <Row>
        {(['awake', 'asleep', 'working', 'waiting', 'unwell'] as const).map((mood) => (
          <figure key={mood} className="grid justify-items-center gap-1">
            <Creature seed="specimen-4" size={96} mood={mood} name="Specimen" />
            <figcaption className="text-xs text-soft">{mood}</figcaption>
          </figure>
        ))}
      </Row>
      <Row>
        {[16, 24, 40, 64, 120, 240].map((size) => (
          <Creature key={size} seed="specimen-13" size={size} />
        ))}
      </Row>
      <Row>
        {PLATE_SEEDS.map((seed) => (
          <Creature key={seed} seed={seed} size={24} />
        ))}
      </Row>
      <Row>
        {PLATE_SEEDS.map((seed) => (
          <Creature key={seed} seed={seed} size={64} />
        ))}
      </Row>
    </Part>
  );
}
