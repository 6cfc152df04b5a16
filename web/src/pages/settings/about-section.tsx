import { useHubQuery } from '../../data/queries.ts';
import { formatAgo } from '../../kit/numbers.ts';
import { Section } from './section.tsx';

/** Which hub this is, and where its data lies. */
export function AboutSection() {
  const { data } = useHubQuery('status', {});
  if (data === undefined) return null;
  const facts: readonly [name: string, value: string][] = [
    ['Version', data.version],
    ['Address', data.url ?? 'none'],
    ['Data', data.home],
    ['Started', formatAgo(data.startedAt)],
    ['Process', String(data.pid)],
  ];
  return (
    <Section id="about" title="About this hub" about="Everything is stored on this machine, in one folder.">
      <dl className="grid grid-cols-[6rem_minmax(0,1fr)] gap-y-1.5 text-sm">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-soft">{name}</dt>
            <dd className="font-mono text-xs leading-5 break-all">{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
