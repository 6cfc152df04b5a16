import { expect, it } from 'vitest';
import { matchesTemplate } from './match-template.ts';

it.each([
  ['demo://text/{id}', 'demo://text/7', true],
  ['demo://text/{id}', 'demo://text/7/more', false],
  ['demo://text/{id}', 'demo://blob/7', false],
  ['file:///{+path}', 'file:///a/b/c.txt', true],
  ['x://y{?q,r}', 'x://y?q=1&r=2', true],
  ['x://y{?q,r}', 'x://y', true],
  ['x://y{/rest*}', 'x://y/a/b', true],
  ['x://a.b/{id}', 'x://aXb/1', false],
])('%s and %s: %s', (template, uri, matches) => {
  expect(matchesTemplate(template, uri)).toBe(matches);
});
