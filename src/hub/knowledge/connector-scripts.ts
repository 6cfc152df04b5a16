import { Script } from '../../contract/config.ts';
import { ZooError } from '../../contract/errors.ts';
import { parse } from '../../contract/parsing/parse.ts';
import type { RunScript, ScanEnd } from '../../knowledge/connector.ts';
import type { Environment } from '../../platform/home/paths.ts';
import { realPath } from '../../platform/files/real-path.ts';
import type { SecretMask } from '../../platform/text/secret-mask.ts';
import { toJson } from '../../scripting/json.ts';
import type { Json, Sandbox, ScriptHost } from '../../scripting/sandbox.ts';
import { readScriptEntry, withoutSecrets } from '../../scripting/script-entry.ts';

/** A scan reads everything, so its limits are higher than those of a normal call. */
const SCAN_MS = 600_000;
const SCAN_CALLS = 1_000_000;

/** Runs the scripts of sources in the sandbox. */
export function createConnectorScripts(
  scripts: Pick<Sandbox, 'call'>,
  env: Environment,
  mask: Pick<SecretMask, 'value'>,
): RunScript {
  return async (source, checkpoint, emit, signal) => {
    const config = parse(Script, source.config);
    const entry = readScriptEntry(parse(Script, source.written ?? source.config), config, {
      kind: 'connector',
      folder: source.folder,
      root: await realPath(source.folder),
      approved: source.approved,
      env,
      variables: env,
    });
    const { limits } = entry.file;
    const file = {
      ...entry.file,
      limits: {
        ...limits,
        hostCalls: SCAN_CALLS,
        timeoutMs: config.timeout === undefined ? SCAN_MS : limits.timeoutMs,
      },
    };
    // Pages often contain their own URL, including a token. The hub's mask also knows the values of a `.env`.
    const emitMasked = (item: Json) => emit(table(mask.value(entry.secrets.value(item))));
    const host: ScriptHost = {
      search: refuse,
      get: refuse,
      sources: refuse,
      emit: (item) => emitMasked(item),
    };
    const { value } = await withoutSecrets(entry, () =>
      scripts.call(file, {
        function: 'scan',
        args: [entry.settings, toJson(checkpoint ?? null)],
        config: entry.settings,
        host,
        signal,
      }),
    );
    for (const item of itemsOf(value)) await emitMasked(item);
    return endOf(value);
  };
}

const refuse = (): Promise<never> =>
  Promise.reject(new ZooError('invalid_arguments', 'connectors cannot search or get documents'));

function table(item: Json): { [key: string]: Json } {
  if (typeof item === 'object' && item !== null && !Array.isArray(item)) return item;
  throw new ZooError('invalid_arguments', 'emit takes a table, such as { path = "a.md", body = "…" }');
}

/** A scan may also return everything at the end, as a list or as `items`. */
function itemsOf(value: Json): Json[] {
  if (Array.isArray(value)) return value;
  const items = typeof value === 'object' && value !== null ? value.items : null;
  return Array.isArray(items) ? items : [];
}

function endOf(value: Json): ScanEnd {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  const { checkpoint = null, partial } = value;
  return { ...(checkpoint === null ? {} : { checkpoint }), ...(partial === true ? { partial } : {}) };
}
