import type {ServerOptions} from '@orch-api/orch';
import {newestRelease} from '../../core/api/lifetimes/releases.js';

/** Options of a server that has all versions, kinds and fields of a release. In older ones that is the kinds: what alpha gates add is in the newest. */
export function everythingOf(release: string): ServerOptions {
  return {
    release,
    runtimeConfig: {'api/all': true},
    featureGates: release === newestRelease ? {AllAlpha: true, AllBeta: true} : {APISelfSubjectReview: true},
  };
}
