import type { Parser } from '@lezer/common';

/** Parsers by file extension. Code in other languages is split at blank lines. */
const javascript = (dialect: string) => async () =>
  (await import('@lezer/javascript')).parser.configure({ dialect });
const cpp = async () => (await import('@lezer/cpp')).parser;

const parsers: Readonly<Record<string, () => Promise<Parser>>> = {
  js: javascript('jsx'),
  jsx: javascript('jsx'),
  mjs: javascript('jsx'),
  cjs: javascript('jsx'),
  ts: javascript('ts'),
  mts: javascript('ts'),
  cts: javascript('ts'),
  tsx: javascript('ts jsx'),
  py: async () => (await import('@lezer/python')).parser,
  pyi: async () => (await import('@lezer/python')).parser,
  java: async () => (await import('@lezer/java')).parser,
  c: cpp,
  h: cpp,
  cc: cpp,
  cpp,
  cxx: cpp,
  hpp: cpp,
  hh: cpp,
  rs: async () => (await import('@lezer/rust')).parser,
  go: async () => (await import('@lezer/go')).parser,
  php: async () => (await import('@lezer/php')).parser,
};

const others = new Set(
  (
    'rb kt kts swift scala cs fs fsx lua sh bash zsh fish ps1 pl pm r jl ex exs erl hrl hs ml mli clj cljs edn dart ' +
    'groovy gradle m mm zig nim v sql graphql gql proto tf hcl vue svelte css scss sass less cmake mk asm s vb pas ' +
    'sol cr d elm lisp el scm rkt tcl vim nix'
  ).split(' '),
);

export const isCodeExtension = (extension: string) => extension in parsers || others.has(extension);

export async function loadCodeParser(extension: string): Promise<Parser | null> {
  return (await parsers[extension]?.()) ?? null;
}
