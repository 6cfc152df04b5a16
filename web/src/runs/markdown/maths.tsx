import temml from 'temml';
import { useLayoutEffect, useRef } from 'react';

/** A formula as MathML, which browsers draw themselves: no fonts and no inline styles, which the page forbids. */
export function Maths({ tex, display }: { tex: string; display: boolean }) {
  const place = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    place.current?.replaceChildren(formulaOf(tex, display));
  }, [tex, display]);
  return <span ref={place} className={display ? 'block overflow-x-auto py-1 text-center' : ''} />;
}

function formulaOf(tex: string, display: boolean): Node {
  const markup = temml.renderToString(tex, {
    displayMode: display,
    annotate: true,
    throwOnError: false,
    trust: false,
    maxExpand: 500,
    maxSize: [20, 20],
  });
  // Quotes in its texts are escaped, so this is only found in tags. The page's policy holds for parsed documents too.
  const plain = markup.replaceAll(/ style="[^"]*"/g, '');
  // Parsed apart from the page: nothing in it is loaded or run.
  const parsed = new DOMParser().parseFromString(plain, 'text/html');
  return document.adoptNode(parsed.body.firstChild ?? parsed.createTextNode(tex));
}
