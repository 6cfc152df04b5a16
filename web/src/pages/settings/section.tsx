import type { ReactNode } from 'react';

interface SectionProps {
  /** Its address within the page. */
  id: string;
  title: string;
  about: ReactNode;
  children: ReactNode;
}

/** One subject of the settings: what it is on the left, what it holds on the right. */
export function Section({ id, title, about, children }: SectionProps) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="grid gap-x-10 gap-y-4 border-t border-line py-8 lg:grid-cols-[18rem_minmax(0,1fr)]"
    >
      <div>
        <h2 id={`${id}-title`} className="font-serif text-lg">
          {title}
        </h2>
        <p className="mt-1 text-sm text-soft">{about}</p>
      </div>
      <div className="grid min-w-0 content-start gap-3">{children}</div>
    </section>
  );
}
