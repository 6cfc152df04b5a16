import { type ReactNode, useEffect } from 'react';

interface PageProps {
  title: string;
  /** One line on what the page is for. */
  about?: ReactNode;
  actions?: ReactNode;
  /** For plates, which fill a very wide screen with more columns; texts and rows stay readable in less. */
  wide?: boolean;
  children: ReactNode;
}

/** The frame of a page: its title, what it is for, what can be done here. */
export function Page({ title, about, actions, wide = false, children }: PageProps) {
  usePageTitle(title);
  return (
    <div className={`mx-auto px-4 pb-16 sm:px-6 lg:px-10 ${wide ? 'max-w-[200rem]' : 'max-w-[100rem]'}`}>
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3 pt-6 pb-5 lg:pt-9">
        <div className="min-w-0">
          <h1 className="font-serif text-2xl">{title}</h1>
          {about === undefined ? null : <p className="mt-1 max-w-[70ch] text-base text-soft">{about}</p>}
        </div>
        {actions === undefined ? null : <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </div>
      {children}
    </div>
  );
}

export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Agent Zoo`;
  }, [title]);
}
