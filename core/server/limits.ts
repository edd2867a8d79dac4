export {resolveLimits} from '../http/limits/resolve-limits.js';
