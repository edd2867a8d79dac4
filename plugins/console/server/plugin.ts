export {ConsoleFiles, ConsoleRedirect} from './console-files.js';
export {PluginViews} from './plugin-views.js';
export {OidcSignIn} from './oidc-sign-in.js';
export {ConsoleLinks, ConsoleSessions, ConsoleUser} from './session-routes.js';
export {SessionAuthenticator} from './session-authenticator.js';
