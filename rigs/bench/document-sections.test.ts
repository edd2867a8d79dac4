import test from 'ava';
import {withFigures} from './document-sections.js';

const page = `# A
<!-- figures: one -->
old
<!-- end of figures -->
between
<!-- figures: two -->
kept
<!-- end of figures -->
`;

test('figures take the place of those of before, and nothing else changes', (t) => {
  const {page: changed, found} = withFigures(
    page,
    new Map([
      ['one', '| $1 new |'],
      ['three', 'x'],
    ]),
  );
  t.deepEqual(found, ['one']);
  t.is(
    changed,
    page.replace('\nold\n', () => '\n\n| $1 new |\n\n'),
  );
  t.is(withFigures(changed, new Map([['one', '| $1 new |']])).page, changed, 'again');
});
