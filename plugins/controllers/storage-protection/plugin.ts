export {ClaimProtection} from './claim-protection.js';
export {VolumeProtection} from './volume-protection.js';
