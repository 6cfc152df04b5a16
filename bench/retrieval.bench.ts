import { parseArgs } from 'node:util';
import { measureQuality } from './retrieval-quality.ts';
import { measureSpeed } from './retrieval-speed.ts';

const help = `npm run bench -- retrieval [options]

  --data DIR         how well it finds, on a collection with judgements: a folder in the form of SMART
                     (Cranfield, CISI, MED, CACM: *.all*, *.qry, and *.rel or *qrel*, in capitals or not)
                     or of BEIR (corpus.jsonl, queries.jsonl, qrels/test.tsv); without it, only speed
  --words-only       leave out what needs vectors
  --encoder URL      an encoder that speaks the API of OpenAI, instead of the weak one that comes along;
                     its key is read from EMBEDDING_API_KEY
  --model NAME       the model to ask it for
  --chunks N,N,…     how many chunks to measure speed at (1000,10000,100000)
  --skip-speed       measure how well it finds, and not how fast
  --help             this`;

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    'words-only': { type: 'boolean', default: false },
    encoder: { type: 'string' },
    model: { type: 'string', default: 'text-embedding-3-small' },
    chunks: { type: 'string', default: '1000,10000,100000' },
    'skip-speed': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) {
  console.log(help);
} else {
  const { data, encoder: url, model } = values;
  const key = process.env['EMBEDDING_API_KEY'];
  if (data !== undefined) {
    await measureQuality(data, {
      wordsOnly: values['words-only'],
      ...(url !== undefined && { encoder: { url, model, ...(key !== undefined && { api_key: key }) } }),
    });
  }
  if (!values['skip-speed']) for (const size of values.chunks.split(',')) await measureSpeed(Number(size));
}
