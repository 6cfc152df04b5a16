/** For code that is not what was approved (`was`), or was not there or out of reach when it was. */
export const notApproved = (file: string, was: string | undefined): string =>
  was === undefined
    ? `${file} is not part of what you approved, which is the script and what lies beside it and below: see \`zoo trust\``
    : `${file} has changed since you approved it: look at it with \`zoo trust\``;
