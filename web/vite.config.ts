import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { wireTableForVite } from '../scripts/wire-table.js';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** `npm run build` writes the page into `dist/web`, where the hub serves it from. */
export default defineConfig({
  root: here('.'),
  plugins: [wireTableForVite(), tailwindcss()],
  build: {
    outDir: here('../dist/web'),
    emptyOutDir: true,
    target: 'es2023',
    // The page's policy has no `data:` for fonts and styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      onLog(level, log, report) {
        // Libraries mark files for React's server components, which this page has none of.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
      },
    },
  },
});
