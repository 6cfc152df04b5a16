import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.js';

/**
 * The licences of the packages inside the bundle, which their terms ask us to hand on.
 * @param {string[]} inputs the bundle's source files, relative to the project
 */
export function renderNotices(inputs) {
  const packages = inputs.flatMap((path) => path.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/) ?? []);
  const notices = [...new Set(packages)].toSorted().map(renderNotice);
  return `Agent Zoo contains the following packages.\n\n${notices.join('\n\n')}\n`;
}

/** @param {string} folder */
function renderNotice(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const file = readdirSync(join(root, folder)).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
  const text = file ? readFileSync(join(root, folder, file), 'utf8').trim() : `Licence: ${license}`;
  return `--- ${name} ${version} (${license})\n\n${text}`;
}
