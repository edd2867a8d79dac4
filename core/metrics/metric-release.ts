import type {AnyDeclaration} from './metric-family.js';

/** A metric as a release has it; undefined if it does not. @param release such as `1.36`; the newest if left out */
export function declarationAt(declaration: AnyDeclaration, release: string | undefined): AnyDeclaration | undefined {
  const {releases, ...rest} = declaration;
  if (!releases) return declaration;
  const hasCome = (since: string | undefined): boolean =>
    since !== undefined && (release === undefined || minorOf(since) <= minorOf(release));
  const {since, until, beta, stable, deprecated, labels} = releases;
  if ((since !== undefined && !hasCome(since)) || hasCome(until)) return undefined;
  return {
    ...rest,
    ...(hasCome(beta) ? {stability: 'BETA'} : {}),
    ...(hasCome(stable) ? {stability: 'STABLE', since: stable!} : {}),
    ...(hasCome(deprecated) ? {deprecated: {since: deprecated!}} : {}),
    ...(labels && hasCome(labels.since) ? {labels: labels.names} : {}),
  };
}

function minorOf(release: string): number {
  return Number(release.split('.')[1]);
}
