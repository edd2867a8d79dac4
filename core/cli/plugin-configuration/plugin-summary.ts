import {shownText} from '../../../sdk/values/shown-text.js';
import type {FoundPlugin} from '../../kernel/manifests/read-manifest.js';
import {requirementTexts} from '../../kernel/manifests/services.js';
import {contributionList} from './contribution-list.js';
import {permissionLines} from './permission-lines.js';

/** How much is shown of what a plugin says of itself, in characters. */
const longestDescription = 300;

/**
 * What somebody should know of a plugin before adding it. Permissions stand by themselves, next to the question; what the plugin says of itself is in quotes
 * and cannot look like a line of this.
 */
export function pluginSummary({name, folder, manifest}: FoundPlugin): string {
  const {version, description} = manifest;
  return [
    `${name} ${version}`,
    ...(description === undefined ? [] : [`  says        "${shownText(description.replaceAll(/\s+/g, ' '), longestDescription)}"`]),
    `  from        ${shownText(folder)}`,
    `  contributes ${
      contributionList(manifest)
        .map((each) => shownText(each))
        .join(', ') || 'nothing'
    }`,
    `  requires    ${
      requirementTexts({manifest})
        .map((each) => shownText(each))
        .join(', ') || 'no other plugin'
    }`,
    '',
    'Permissions:',
    ...permissionLines(manifest).map((line) => `  ${line}`),
    '',
    'Its code runs in the process of the server, which nothing confines: add what you trust.',
    '',
  ].join('\n');
}
