/** English stop words. */
const words = `
a about above after again against all also am an and any are aren't as at be because been before being below between
both but by can can't cannot could couldn't did didn't do does doesn't doing don't down during each else etc ever few
for from further get gets got had hadn't has hasn't have haven't having he her here hers herself him himself his how
however i i'd i'll i'm i've if in into is isn't it it's its itself just let's like many may me might more most much must
my myself no nor not of off on once one only or other ought our ours ourselves out over own per please same shall she
should shouldn't so some such than that that's the their theirs them themselves then there there's these they they're
this those through thus to too under until up upon us use used uses using very via was wasn't we we're were weren't what what's when where
which while who whom whose why will with won't would wouldn't yet you you're your yours yourself yourselves
`
  .trim()
  .split(/\s+/);

const terms = new Set(words.map((word) => word.replaceAll("'", '')));

/** Takes a folded word without apostrophes, as in the index. */
export const isStopTerm = (term: string): boolean => terms.has(term);
