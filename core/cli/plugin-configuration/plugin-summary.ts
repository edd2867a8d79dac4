import {shownText} from '../../../sdk/values/shown-text.js';
import type {FoundPlugin} from '../../kernel/manifests/read-manifest.js';
import {requirementTexts} from '../../kernel/manifests/services.js';
import {contributionList} from '../../kernel/manifests/contribution-list.js';
import {markedLines, settingTypeLines} from './differences.js';
import {permissionLines} from '../../controllers/permission-lines.js';

/** Maximum characters shown of a plugin's description. */
const longestDescription = 300;

/**
 * What a user should know about a plugin before adding it, and what is new in it. Permissions are shown separately, next to the question. Text of the plugin
 * is quoted, so that it cannot look like a line of the summary.
 *
 * @param before the present version
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
