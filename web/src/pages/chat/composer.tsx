import { ArrowUp, CircleStop, LibraryBig, Paperclip } from 'lucide-react';
import { type ClipboardEvent, type DragEvent, type KeyboardEvent, memo, useRef, useState } from 'react';
import type { Chat } from '../../../../src/contract/chat.ts';
import { ZooError } from '../../../../src/contract/errors.ts';
import { useConnection } from '../../data/connection.ts';
import { call } from '../../data/hub.ts';
import { Button, IconButton } from '../../kit/button.tsx';
import { ErrorNote } from '../../kit/feedback.tsx';
import { useAttempt } from '../../kit/use-attempt.ts';
import { Attachments, type FilePart, readDocument, readFiles } from './attachments.tsx';
import type { ChatFeed } from './chat-feed.ts';
import { DocumentPicker } from './document-picker.tsx';
import { ModelPicker } from './model-picker.tsx';
import { readUnsent, takePending, writeUnsent } from './unsent.ts';

interface ComposerProps {
  chat: Chat;
  feed: ChatFeed;
  /** Whether a run is under way. */
  isBusy: boolean;
  /** How many messages that run has taken in. */
  joined: number;
  onSend: () => void;
}

/** The next message. While a run is under way it is queued, and joins the next step. */
export const Composer = memo(function Composer({ chat, feed, isBusy, joined, onSend }: ComposerProps) {
  const { id } = chat;
  const [text, setText] = useState(() => readUnsent(id));
  const [files, setFiles] = useState<readonly FilePart[]>(() => takePending(id));
  const [isPicking, setPicking] = useState(false);
  const { queued, send, error, attempt } = useSending(chat, isBusy, joined);
  const isOutdated = useOutdated(error);
  const upload = useRef<HTMLInputElement>(null);
  const write = (next: string): void => {
    setText(next);
    writeUnsent(id, next);
  };
  const add = (read: () => Promise<FilePart[]>): void =>
    attempt(async () => {
      const added = await read();
      setFiles((before) => [...before, ...added]);
    });
  const submit = (): void => {
    if (text.trim() === '' && files.length === 0) return;
    // Together with what was written since then.
    const restore = (): void => {
      write([text, readUnsent(id)].filter((each) => each !== '').join('\n\n'));
      setFiles((before) => [...files, ...before]);
    };
    send(text, files, restore);
    onSend();
    write('');
    setFiles([]);
  };
  const chooseModel = (model: string | null): void =>
    attempt(async () => feed.adopt(await call('patchChat', { id, body: { model } })));
  const keys = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  };
  const paste = (event: ClipboardEvent): void => {
    const pasted = [...event.clipboardData.files];
    if (pasted.length > 0) add(() => readFiles(pasted));
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    const dropped = [...event.dataTransfer.files];
    add(() => readFiles(dropped));
  };
  return (
    <div
      className="border-t border-line bg-paper py-3"
      onDrop={drop}
      onDragOver={(event) => event.preventDefault()}
    >
      <div className="mx-auto grid max-w-3xl grid-cols-1 gap-2 px-4">
        {error && !isOutdated ? <ErrorNote error={error} /> : null}
        {queued.map((message, index) => (
          <p key={index} role="status" className="truncate text-xs text-soft">
            Queued, joins the next step: {message}
          </p>
        ))}
        <Attachments files={files} onRemove={(file) => setFiles(files.filter((each) => each !== file))} />
        <textarea
          aria-label="Message"
          rows={2}
          value={text}
          placeholder={
            isBusy ? 'Steer the answer: your message joins the next step' : 'Ask, or describe a task'
          }
          onChange={({ target }) => write(target.value)}
          onKeyDown={keys}
          onPaste={paste}
          className="field-sizing-content max-h-60 min-h-15 w-full resize-none rounded-md border border-line-strong bg-sheet px-3 py-2 text-base hover:border-faint"
        />
        <div className="flex items-center gap-1.5">
          <input
            ref={upload}
            type="file"
            multiple
            className="hidden"
            aria-label="Files to attach"
            onChange={({ target }) => {
              const chosen = [...(target.files ?? [])];
              add(() => readFiles(chosen));
              target.value = '';
            }}
          />
          <IconButton label="Attach files" onClick={() => upload.current?.click()}>
            <Paperclip />
          </IconButton>
          <IconButton label="Attach a document" onClick={() => setPicking(true)}>
            <LibraryBig />
          </IconButton>
          <span className={`flex min-w-0 flex-1 ${isBusy ? 'max-sm:invisible' : ''}`}>
            <ModelPicker value={chat.models?.[0] ?? null} onChange={chooseModel} />
          </span>
          <span className="flex shrink-0 gap-2">
            {isBusy ? (
              <Button icon={<CircleStop />} onClick={() => attempt(() => call('cancelTurn', { id }))}>
                Stop
              </Button>
            ) : null}
            <Button
              look="primary"
              icon={<ArrowUp />}
              disabled={text.trim() === '' && files.length === 0}
              onClick={submit}
            >
              {isBusy ? 'Queue' : 'Send'}
            </Button>
          </span>
        </div>
      </div>
      <DocumentPicker
        open={isPicking}
        onClose={() => setPicking(false)}
        onPick={(document) => {
          setPicking(false);
          add(async () => [await readDocument(document)]);
        }}
      />
    </div>
  );
});

/** Whether an error says that the hub did not respond, and it has responded since. */
function useOutdated(error: Error | null): boolean {
  const connection = useConnection();
  const [lostWith, setLostWith] = useState<Error | null>(null);
  if (connection === 'lost' && error !== lostWith) setLostWith(error);
  return connection === 'live' && error !== null && error === lostWith && !(error instanceof ZooError);
}

/** A message for the run under way, and how many messages that run had taken before it. */
interface QueuedMessage {
  runId: string;
  text: string;
  position: number;
}

/** Sends messages, and remembers those that wait for the next step until the run has taken them. */
function useSending(chat: Chat, isBusy: boolean, joined: number) {
  const [sent, setSent] = useState<readonly QueuedMessage[]>([]);
  const { error, attempt } = useAttempt();
  const last = chat.history.at(-1);
  const waiting = sent.filter(({ runId, position }) => isBusy && runId === last?.runId && position >= joined);
  const send = (text: string, files: readonly FilePart[], onFailure: () => void): void => {
    const parts = text.trim() === '' ? [...files] : [{ type: 'text' as const, text }, ...files];
    const message = files.length === 0 ? text : parts;
    const position = joined + waiting.length;
    attempt(async () => {
      const { runId, joined: isQueued } = await call('sendMessage', { id: chat.id, body: { message } }).catch(
        (failure: unknown) => {
          onFailure();
          throw failure;
        },
      );
      if (isQueued) setSent((before) => [...before, { runId, text, position }]);
    });
  };
  return { queued: waiting.map(({ text }) => text), send, error, attempt };
}
