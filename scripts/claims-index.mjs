// Leads from each page of docs/semantics to the tests that decide its claims.
import {slugOf} from './check-citations.mjs';

const head = `# Tests of these pages

Which files of \`test/\` decide the [claims](claims/README.md) of a page, by section. \`grep -rn 'A-NAME-1\\]' test\` finds the tests of one claim, and \`npm run claims\`
lists those without any. \`npm run claims -- --update\` writes this page.
`;

/**
 * The text of docs/semantics/tests.md.
 *
 * @param claims id → {page, section}, in the order of the pages
 * @param idsOf path of a test file → ids in its titles
 */
export function testIndex(claims, idsOf) {
  /** Page → section → files. */
  const pages = new Map();
  const filesOf = ({page, section}) => {
    if (!pages.has(page)) pages.set(page, new Map());
    const sections = pages.get(page);
    if (!sections.has(section)) sections.set(section, new Set());
    return sections.get(section);
  };
  for (const claim of claims.values()) filesOf(claim);
  for (const [path, ids] of idsOf) for (const id of ids) if (claims.has(id)) filesOf(claims.get(id)).add(path);

  const texts = [...pages.keys()].sort().map((page) => {
    const rows = [...pages.get(page)].map(
      ([section, files]) => `| [${section}](claims/${page}#${slugOf(section)}) | ${[...files].sort().map(linkTo).join(', ')} |`,
    );
    return `## ${page.replace(/\.md$/, '')}\n\n| claims of [its rules](${page}) | tests |\n| --- | --- |\n${rows.join('\n')}\n`;
  });
  return [head, ...texts].join('\n');
}

const linkTo = (path) => `[${path.replace(/^test\/|\.test\.ts$/g, '')}](../../${path})`;
