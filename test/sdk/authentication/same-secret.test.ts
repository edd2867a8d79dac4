import test from 'ava';
import {sameSecret} from '../../../sdk/authentication/index.js';

test('secrets are the same when all their bytes are', (t) => {
  for (const text of ['', 'a', '0123456789abcdef', 'é', '💥', 'x'.repeat(10_000)]) {
    t.true(sameSecret(text, `${text}`));
    t.false(sameSecret(text, `${text}a`));
    t.false(sameSecret(`b${text}`, `a${text}`));
    t.false(sameSecret(`${text}b`, `${text}a`));
  }
  // As many characters, but not as many bytes.
  t.false(sameSecret('e', 'é'));
  t.false(sameSecret('é', 'ee'));
});
