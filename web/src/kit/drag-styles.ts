import { StyleInjector } from '@dnd-kit/dom';

/**
 * Has the styles of a drag adopted, as the page's policy allows. The library would add `<style>` elements, which the
 * policy forbids; then a dragged card does not follow the pointer. Rules for everything count during a drag only.
 */
export function adoptDragStyles(): void {
  StyleInjector.prototype.register = (rules) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules.replace(/^\* /, ':root:has([data-dnd-dragging]) * '));
    document.adoptedStyleSheets.push(sheet);
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    };
  };
}
