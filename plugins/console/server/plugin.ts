export {ConsoleFiles, ConsoleRedirect} from './console-files.js';
export {ConsoleLinks, ConsoleSessions, ConsoleUser} from './session-routes.js';
export {SessionAuthenticator} from './session-authenticator.js';
