import { distance } from 'fastest-levenshtein';
import { api } from '../../contract/api.ts';
import { ZooError } from '../../contract/errors.ts';
import type { Operation, RawReply } from '../../contract/table/operation.ts';
import { errorReply } from './error-reply.ts';

/** Paths that differ in more letters are not suggested. */
const MAX_TYPOS = 3;

const routes = Object.values<Operation>(api).map(({ method, path }) => ({
  method,
  path,
  segments: path.split('/'),
}));

/** The answer for a path without an operation, or without one for this method. */
export function unknownRoute(method: string, path: string): RawReply {
  const segments = path.split('/');
  const methods = routes.filter((route) => fits(route.segments, segments)).map((route) => route.method);
  if (methods.length > 0) {
    const allow = [...new Set(methods.flatMap((name) => (name === 'GET' ? [name, 'HEAD'] : [name])))].join(
      ', ',
    );
    const error = new ZooError('route_not_found', `${path} does not support ${method}, only ${allow}`);
    return errorReply(error, { allow }, 405);
  }
  const meant = nearestRoute(path, segments);
  const hint = meant === undefined ? 'GET /openapi.json lists all routes.' : `Did you mean ${meant}?`;
  return errorReply(new ZooError('route_not_found', `No route for ${path}. ${hint}`));
}

/** Whether the table has this path, for any method. */
export const isRoute = (path: string): boolean =>
  routes.some(({ segments }) => fits(segments, path.split('/')));

const isParam = (segment: string): boolean => segment.startsWith('{');

const fits = (template: readonly string[], segments: readonly string[]): boolean =>
  template.length === segments.length &&
  template.every((part, index) => part === segments[index] || (isParam(part) && segments[index] !== ''));

function nearestRoute(path: string, segments: readonly string[]): string | undefined {
  const near = routes
    .map((route) => fill(route.segments, segments))
    .map((filled) => ({ filled, typos: distance(filled.slice(0, 200), path.slice(0, 200)) }))
    .filter(({ typos }) => typos <= MAX_TYPOS);
  return near.toSorted((a, b) => a.typos - b.typos)[0]?.filled;
}

/** A route filled with the parameters of the requested path, so that only the rest is compared. */
const fill = (template: readonly string[], segments: readonly string[]): string =>
  template.map((part, index) => (isParam(part) ? segments[index] || part : part)).join('/');
