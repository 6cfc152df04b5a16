import { parseArgs } from 'node:util';
import { measureQuality } from './retrieval-quality.ts';
import { measureSpeed } from './retrieval-speed.ts';

const { values } = parseArgs({
  options: {
    /** A folder with the Cranfield collection; without one only speed is measured. */
    data: { type: 'string' },
    /** Numbers of chunks to measure speed at. */
    chunks: { type: 'string', default: '1000,10000,100000' },
    'skip-speed': { type: 'boolean', default: false },
  },
});

if (values.data !== undefined) await measureQuality(values.data);
if (!values['skip-speed']) for (const size of values.chunks.split(',')) await measureSpeed(Number(size));
