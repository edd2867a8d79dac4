import type {FoundPlugin} from '../../kernel/manifests/read-manifest.js';
import {requirementTexts} from '../../kernel/manifests/services.js';
import {contributionList} from './contribution-list.js';
import {permissionLines} from './permission-lines.js';

/** What somebody should know of a plugin before adding it. */
export function pluginSummary({name, folder, manifest}: FoundPlugin): string {
  const contributes = contributionList(manifest);
  return [
    `${name} ${manifest.version}${manifest.description === undefined ? '' : `: ${manifest.description}`}`,
    `  from        ${folder}`,
    `  contributes ${contributes.join(', ') || 'nothing'}`,
    `  requires    ${requirementTexts({manifest}).join(', ') || 'no other plugin'}`,
    ...permissionLines(manifest).map((line, index) => `  ${index === 0 ? 'permissions' : '           '} ${line}`),
    '  Its code runs in the process of the server, which nothing confines: add what you trust.',
    '',
  ].join('\n');
}
