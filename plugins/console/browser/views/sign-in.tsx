import {useState} from 'preact/hooks';
import {signedOutBecause, signInByCertificate, signInByToken} from '../api/session.js';

/** The ways to sign in. */
export function SignIn() {
  const [token, setToken] = useState('');
  const [problem, setProblem] = useState('');
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
