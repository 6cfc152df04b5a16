import { formatMoment } from './numbers.ts';

/** A text of the hub: a message, a hint, a reason. Code in backticks is set as code, and times in the user's locale. */
export function HubText({ children }: { children: string }) {
  return children.split(CODE).map((part, index) =>
    index % 2 === 0 ? (
      part.replace(TIME, (time) => formatMoment(time))
    ) : (
      <code key={index} className="font-mono text-[0.9em]">
        {part}
      </code>
    ),
  );
}

/** Never across lines: the tail of a log may hold a lone backtick. */
const CODE = /`([^`\n]+)`/;
const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
