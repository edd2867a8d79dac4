export {guardLoop} from './loop-guard.js';
export {placesOf} from './places-of.js';
export {tellExits} from './tell-exits.js';
