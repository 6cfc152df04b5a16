import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createJiti, type Jiti, type JitiOptions, type TransformOptions, type TransformResult } from 'jiti';
import { ZooError } from '../../contract/errors.ts';
import { notApproved } from '../not-approved.ts';

export interface ModuleLoaderOptions {
  /** The entry file. */
  path: string;
  agentPackage: string;
  /** As for scripts. */
  approved: Readonly<Record<string, string>> | undefined;
  isOurs(file: string): boolean;
}

/** Node internals that the loader needs; its package offers no other way to set them. */
interface Native {
  onError(error: unknown): never;
  nativeImport(id: string | URL): Promise<unknown>;
  createRequire: typeof createRequire;
}

type Transform = (options: TransformOptions) => TransformResult;
type CreateWith = (id: string, options: JitiOptions, native: Native) => Jiti;

const isCreateWith = (value: unknown): value is CreateWith => typeof value === 'function';
const isTransform = (value: unknown): value is Transform => typeof value === 'function';

const inPackages = /[\\/]node_modules[\\/]/;

/**
 * Loads TypeScript and JavaScript. With `approved`, only approved code runs: `transform` checks the text that is
 * about to run. Packages in `node_modules` and JSON are not checked.
 */
export function createModuleLoader(options: ModuleLoaderOptions): Jiti {
  const { agentPackage, approved } = options;
  const settings = { fsCache: false, sourceMaps: true, alias: { 'agent-zoo/agent': agentPackage } };
  return approved ? createGuarded(settings, { ...options, approved }) : createJiti(import.meta.url, settings);
}

function createGuarded(
  settings: JitiOptions,
  { path, approved, isOurs }: ModuleLoaderOptions & { approved: Readonly<Record<string, string>> },
): Jiti {
  const require = createRequire(import.meta.url);
  const folder = dirname(require.resolve('jiti/package.json'));
  const createWith: unknown = require(join(folder, 'dist/jiti.cjs'));
  const transform: unknown = require(join(folder, 'dist/babel.cjs'));
  if (!isCreateWith(createWith) || !isTransform(transform)) throw new Error('unsupported version of jiti');
  const isFree = (file: string): boolean => inPackages.test(file) || isOurs(file);

  /** Node would read the file again, and load its imports unchecked. */
  function leaveToLoader(id: string): void {
    const file = id.startsWith('file:') ? fileURLToPath(id) : id;
    const isPath = /^(?:[/\\.]|[a-z]:[/\\])/i.test(file);
    if (!isPath || isOurs(file) || isFree(realOrSame(file)) || extname(file) === '.json') return;
    throw new ZooError(
      'untrusted',
      `${shown(file)} cannot be approved: only JavaScript, TypeScript and JSON are supported`,
    );
  }

  function guardedRequire(from: string | URL): NodeJS.Require {
    const native = createRequire(from);
    const guarded = (id: string): unknown => {
      leaveToLoader(id);
      return native(id);
    };
    return Object.assign(guarded, {
      resolve: native.resolve,
      cache: native.cache,
      extensions: native.extensions,
      main: native.main,
    });
  }

  const shown = (file: string): string => relative(dirname(path), file);

  return createWith(
    import.meta.url,
    {
      ...settings,
      transform(options) {
        const { filename = '', source } = options;
        const real = realOrSame(filename);
        const known = approved[real];
        if (!isFree(real) && known !== createHash('sha256').update(source).digest('hex')) {
          throw new ZooError('untrusted', notApproved(filename === path ? 'it' : shown(filename), known));
        }
        return transform(options);
      },
    },
    {
      onError(error) {
        throw error;
      },
      async nativeImport(id) {
        leaveToLoader(String(id));
        const loaded: unknown = await import(String(id));
        return loaded;
      },
      createRequire: guardedRequire,
    },
  );
}

function realOrSame(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
