/** One spelling for British and American words, so that either finds the other. Words are in lower case. */
export function commonSpelling(word: string): string {
  if (word.length < 4) return word;
  const whole = words.get(word);
  if (whole !== undefined) return whole;
  for (const [pattern, replacement] of rules) {
    if (pattern.test(word)) return word.replace(pattern, replacement);
  }
  return word;
}

const words: ReadonlyMap<string, string> = new Map([
  ['grey', 'gray'],
  ['programme', 'program'],
  ['programmes', 'programs'],
  ['tyre', 'tire'],
  ['tyres', 'tires'],
  ['practise', 'practice'],
  ['fulfil', 'fulfill'],
  ['enrol', 'enroll'],
  ['ageing', 'aging'],
]);

const rules: readonly (readonly [RegExp, string])[] = [
  [/(?<=[a-z]{3})isation(?=s?$)/, 'ization'],
  // initialised, optimiser; not precise, promise, exercise, expertise, supervise, otherwise, raise
  [
    /(?<=[a-z]{2}(?:[bdfghklmnrst]|ic))(?<!pr[eo]m|dem|chem|and|rad|[ei]rt|eat|ch|pr|sp|st)is(?=(?:e[ds]?|ers?|ing|able)$)/,
    'iz',
  ],
  [/(?<=[a-z]{2}l)ys(?=(?:e[ds]?|ers?|ing)$)/, 'yz'],
  // colour, behaviour, neighbouring
  [/(?<=col|behavi|fav|hon|lab|neighb|harb|hum|rum|vap|arm|endeav|flav|od|sav|tum|vig|rig|splend)our/, 'or'],
  [/(?<=cent|theat|met|lit|fib|calib|lust|spect)re(?=[ds]?$)/, 'er'],
  [/(?<=catal|dial|anal|monol|prol|epil)ogue/, 'og'],
  [/(?<=lic|def|off|pret)enc(?=e[ds]?$)/, 'ens'],
  [/(?<=art)efact/, 'ifact'],
  [/(?<=man)oeuvre/, 'euver'],
  [/(?<=judg|acknowledg)ement/, 'ment'],
  [/(?<=alumin)ium/, 'um'],
  [/sulph/, 'sulf'],
  [/(?<=p)aed(?=iatr)|(?<=encyclop)aed/, 'ed'],
  [/haem(?=o|at)/, 'hem'],
  [/anaesth/, 'anesth'],
];
