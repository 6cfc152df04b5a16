/** The error for code that has changed since its approval (`was`), or was not part of it. */
export const notApproved = (file: string, was: string | undefined): string =>
  was === undefined
    ? `${file} is not part of the approval, which covers the script and the code beside it and below: see \`zoo trust\``
    : `${file} has changed since you approved it: review it with \`zoo trust\``;
