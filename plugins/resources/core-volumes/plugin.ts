export {PersistentVolumeClaimStrategy} from './persistent-volume-claim-strategy.js';
export {PersistentVolumeStrategy} from './persistent-volume-strategy.js';
