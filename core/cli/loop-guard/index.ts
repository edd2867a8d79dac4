export {guardLoop} from './loop-guard.js';
export {placesOf} from './places-of.js';
export {logExits} from './log-exits.js';
