// CHANGELOG.md in the form of keepachangelog.com: what is not released yet stands below `## [Unreleased]`.

const unreleased = '## [Unreleased]';

/** What stands below the heading `Unreleased`, without blank lines around it. @throws Error without such a heading */
export function unreleasedChanges(text) {
  const at = text.indexOf(`${unreleased}\n`);
  if (at < 0) throw new Error(`CHANGELOG.md has no heading ${unreleased}`);
  const rest = text.slice(at + unreleased.length);
  const next = rest.search(/^## /m);
  return rest.slice(0, next < 0 ? undefined : next).trim();
}

/** The text with the changes under the heading of a version, and an empty `Unreleased` above. */
export function releaseChanges(text, version, date) {
  const changes = unreleasedChanges(text);
  if (changes === '') throw new Error('CHANGELOG.md says of nothing that it is unreleased');
  const at = text.indexOf(`${unreleased}\n`);
  const after = text.slice(at + unreleased.length).replace(/^\s*/, '');
  return `${text.slice(0, at)}${unreleased}\n\n## [${version}] - ${date}\n\n${after}`;
}
