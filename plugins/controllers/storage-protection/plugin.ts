export {ClaimProtection} from './claim-protection.js';
export {ClassProtection} from './class-protection.js';
export {VolumeProtection} from './volume-protection.js';
