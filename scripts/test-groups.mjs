// Which test files share a process of ava. A process of its own costs each file a quarter of a second before its first line, and the first server in it
// three times what the next one does.
import {mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';

/** These start programs and wait for them: what they do in their own process is little, and they would hold up others. */
const ofPrograms = /^(?:rigs|test\/(?:core\/cli|examples|integration|package|scripts|testing))\//;

/** Who looks at the process, changes it, or declares tests behind an `await`, has it to itself. */
const ofProcess =
  /\bprocess\.(?:on|once|env|exit|emitWarning|memoryUsage|cpuUsage|threadCpuUsage|resourceUsage|report|getActiveResourcesInfo)\b|\bwatchedState\b|monitorEventLoopDelay|eventLoopUtilization|expose[-_]gc|[lL]ongest-?[tT]urn|registerHooks|^(?:const .* = )?await /m;

const groupSize = 12;

/** What holds in every release: these files run with the newest one too. Others of the room are about releases, and what they bring and take away. */
const ofEachRelease = /^test\/semantics\/(?!alpha-kinds|.*-?releases?\b|versioning|without-effect)/;

/** Where the files of groups are while they run, in the output folder. */
export const groupFolder = 'test/groups/';

/**
 * Writes a test file for each group of those that can share a process, and answers what ava is to run.
 *
 * @param out the folder that the build has written
 * @param files test files below it
 * @param newestRelease with which some run once more (`ORCH_TEST_RELEASE`); none do when left out
 */
export function groupTests(out, files, newestRelease) {
  const alone = [];
  const sharing = [];
  for (const file of files) (ofPrograms.test(file) || ofProcess.test(readFileSync(join(out, file), 'utf8')) ? alone : sharing).push(file);
  const folder = join(out, groupFolder);
  rmSync(folder, {recursive: true, force: true});
  mkdirSync(folder, {recursive: true});
  const groups = [];
  sharing.sort();
  const write = (group, release) => {
    const room = dirname(group[0]).split('/').slice(1).join('-');
    const name = `${groupFolder}${String(groups.length + 1).padStart(2, '0')}-${room}${release === undefined ? '' : `-${release.replace('.', '-')}`}.test.js`;
    const urls = group.map((file) => `new URL(${JSON.stringify(`../../${file}`)}, import.meta.url).href`);
    const setting = release === undefined ? '' : `process.env.ORCH_TEST_RELEASE = ${JSON.stringify(release)};\n`;
    writeFileSync(
      join(out, name),
      `import {shareProcess} from '../helpers/share-process.js';\n${setting}await shareProcess(new URL('../../', import.meta.url).href, [\n  ${urls.join(',\n  ')},\n]);\n`,
    );
    groups.push(name);
  };
  for (let at = 0; at < sharing.length; at += groupSize) write(sharing.slice(at, at + groupSize));
  const twice = newestRelease === undefined ? [] : sharing.filter((file) => ofEachRelease.test(file));
  for (let at = 0; at < twice.length; at += groupSize) write(twice.slice(at, at + groupSize), newestRelease);
  return {run: [...alone, ...groups], remove: () => rmSync(folder, {recursive: true, force: true})};
}
