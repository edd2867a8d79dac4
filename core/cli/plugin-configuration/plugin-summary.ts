import {shownText} from '../../../sdk/values/shown-text.js';
import type {FoundPlugin} from '../../kernel/manifests/read-manifest.js';
import {requirementTexts} from '../../kernel/manifests/services.js';
import {contributionList} from './contribution-list.js';
import {markedLines, settingTypeLines} from './differences.js';
import {permissionLines} from './permission-lines.js';

/** How much is shown of what a plugin says of itself, in characters. */
const longestDescription = 300;

/**
 * What somebody should know of a plugin before adding it, and what is new in it. Permissions stand by themselves, next to the question; what the plugin says of
 * itself is in quotes and cannot look like a line of this.
 *
 * @param before the version of it that is there
 */
export function pluginSummary({name, folder, manifest}: FoundPlugin, before?: FoundPlugin): string {
  const {version, description} = manifest;
  const change =
    before === undefined
      ? version
      : before.manifest.version === version
        ? `${version}, as before`
        : `${before.manifest.version} → ${version}`;
  const settings = markedLines(before && settingTypeLines(before.manifest.config), settingTypeLines(manifest.config));
  return [
    `${name} ${change}`,
    ...(description === undefined ? [] : [`  says        "${shownText(description.replaceAll(/\s+/g, ' '), longestDescription)}"`]),
    `  from        ${shownText(folder)}`,
    `  contributes ${listed(contributionList(manifest)) || 'nothing'}`,
    `  requires    ${listed(requirementTexts({manifest})) || 'no other plugin'}`,
    '',
    ...(settings.length === 0 ? [] : ['Settings:', ...settings, '']),
    'Permissions:',
    ...markedLines(before && permissionLines(before.manifest), permissionLines(manifest)),
    '',
    'Its code runs in the process of the server, which nothing confines: add what you trust.',
    '',
  ].join('\n');
}

function listed(texts: readonly string[]): string {
  return texts.map((text) => shownText(text)).join(', ');
}
