/** Entry of the sign-in page: a separate document, which loads very little. */
import { SignInPage } from './pages/account/signIn/SignInPage.tsx';
import { start } from './shell/start.tsx';

await start(<SignInPage />);
