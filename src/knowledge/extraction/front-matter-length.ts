const block = /^(---|\+\+\+)[ \t]*\n[^]*?\n\1[ \t]*(?:\n|$)/;

/** How much of a text is the front matter at its beginning, in YAML or TOML. */
export const frontMatterLength = (text: string): number =>
  /^(?:---|\+\+\+)/.test(text) ? (block.exec(text)?.[0].length ?? 0) : 0;
