import {timingSafeEqual} from 'node:crypto';

/** Whether two secrets are the same. It takes the same time wherever they differ, so that nobody learns one piece by piece; their lengths are no secret. */
export function sameSecret(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
