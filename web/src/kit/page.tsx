import { type ReactNode, useEffect } from 'react';

interface PageProps {
  title: string;
  /** One line on what the page is for. */
  about?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** The frame of a page: its title, what it is for, what can be done here. */
export function Page({ title, about, actions, children }: PageProps) {
  usePageTitle(title);
  return (
    <div className="mx-auto max-w-[100rem] px-4 pb-16 sm:px-6 lg:px-10">
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
