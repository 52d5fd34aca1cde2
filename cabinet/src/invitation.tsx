/** Entry of the page that accepts an invitation: a separate document, like the sign-in page. */
import { InvitationPage } from './pages/account/invitation/InvitationPage.tsx';
import { start } from './shell/start.tsx';

await start(<InvitationPage />);
