import {useState} from 'preact/hooks';
import {serverFacts} from '../api/facts.js';
import {leaveForProvider} from '../api/oidc.js';
import {signedOutBecause, signInByCertificate, signInByToken} from '../api/session.js';

/** The ways to sign in. */
export function SignIn() {
  const [token, setToken] = useState('');
  const [problem, setProblem] = useState('');
  const issuer = serverFacts().oidcIssuer;
  const tryIt = async (attempt: Promise<boolean>, otherwise: string) => {
    setProblem('');
    try {
      if (!(await attempt)) setProblem(otherwise);
    } catch {
      setProblem('The server cannot be reached.');
    }
  };
  return (
    <main class="sign-in">
      <h1>Orch console</h1>
      {signedOutBecause.value !== '' && (
        <p class="notice" role="status">
          {signedOutBecause.value}
        </p>
      )}
      {problem !== '' && (
        <p class="notice bad" role="alert">
          {problem}
        </p>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void tryIt(signInByToken(token), 'The server does not know this token.');
        }}
      >
        <label for="token">Bearer token</label>
        <input
          id="token"
          type="password"
          autocomplete="off"
          spellcheck={false}
          value={token}
          onInput={(event) => setToken(event.currentTarget.value)}
        />
        <p class="hint">It stays in the memory of this page, and is gone when the page is.</p>
        <button type="submit" disabled={token.trim() === ''}>
          Sign in with the token
        </button>
      </form>
      {issuer !== undefined && (
        <section>
          <h2>{new URL(issuer).host}</h2>
          <p>The provider that this server trusts signs you in. Its token stays in the memory of this page.</p>
          <button type="button" onClick={() => void leaveForProvider().catch((error: Error) => setProblem(error.message))}>
            Sign in with the provider
          </button>
        </section>
      )}
      <section>
        <h2>Client certificate</h2>
        <p>If the browser has a certificate that the server trusts, it can speak for you.</p>
        <button type="button" onClick={() => void tryIt(signInByCertificate(), 'The browser shows no certificate that the server knows.')}>
          Sign in with the certificate
        </button>
      </section>
      <section>
        <h2>Link</h2>
        <p>
          On the machine of the server <code>orch console</code> prints a link that signs in its administrator, once.
        </p>
      </section>
    </main>
  );
}
