import { splitHubText } from './split-hub-text.ts';

/** A text of the hub: a message, a hint, a reason. */
export function HubText({ children }: { children: string }) {
  return splitHubText(children).map(({ text, isCode }, index) =>
    isCode ? (
      <code key={index} className="font-mono text-[0.9em]">
        {text}
      </code>
    ) : (
      text
    ),
  );
}
