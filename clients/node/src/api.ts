// Made by `npm run generate`. Of the OpenAPI document 79ca21678845c82f.
export interface paths {
    "/f/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show the page of a form */
        get: operations["showForm"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/f/{slug}/embed.js": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Put a form into a page */
        get: operations["embedForm"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/f/{slug}/frame": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a form in a frame */
        get: operations["showFormFrame"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/inbox.js": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The script that shows an inbox in a page */
        get: operations["getInboxScript"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/push-sw.js": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The script of the service worker */
        get: operations["getPushWorker"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/push.js": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The script that subscribes a browser */
        get: operations["getPushScript"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the settings */
        get: operations["getSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change the settings */
        patch: operations["updateSettings"];
        trace?: never;
    };
    "/v1/account/unsubscribes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List suppressions */
        get: operations["listSuppressions"];
        put?: never;
        /** Suppress an address */
        post: operations["suppressAddress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/unsubscribes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a suppression */
        get: operations["getSuppression"];
        put?: never;
        post?: never;
        /** Lift a suppression */
        delete: operations["liftSuppression"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/unsubscribes/api/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Import suppressions */
        post: operations["importSuppressions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/unsubscribes/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the history of an address */
        get: operations["listSuppressionHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List users */
        get: operations["listUsers"];
        put?: never;
        /** Add a user */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a user */
        get: operations["getUser"];
        put?: never;
        post?: never;
        /** Remove a user */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        /** Change a user */
        patch: operations["updateUser"];
        trace?: never;
    };
    "/v1/account/users/invite": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Invite a user */
        post: operations["inviteUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List what was changed, and by whom */
        get: operations["listActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/analytics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the numbers of messages over time */
        get: operations["getAnalytics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List API keys */
        get: operations["listApiKeys"];
        put?: never;
        /** Issue an API key */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an API key */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/invitations/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Accept an invitation */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in */
        post: operations["signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change the own password */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/password/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask for a new password */
        post: operations["requestPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/password/reset/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Choose a new password */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Prolong a sign-in */
        post: operations["refreshToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the session */
        get: operations["getSession"];
        put?: never;
        /** Sign in with a browser */
        post: operations["createSession"];
        /** Sign out */
        delete: operations["signOut"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List sessions */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End a session */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set up a second factor */
        post: operations["prepareSecondFactor"];
        /** Turn the second factor off */
        delete: operations["turnOffSecondFactor"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/totp/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Turn the second factor on */
        post: operations["confirmSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List campaigns */
        get: operations["listCampaigns"];
        put?: never;
        /** Create a campaign */
        post: operations["createCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a campaign */
        get: operations["getCampaign"];
        put?: never;
        post?: never;
        /** Delete a campaign */
        delete: operations["deleteCampaign"];
        options?: never;
        head?: never;
        /** Update a campaign */
        patch: operations["updateCampaign"];
        trace?: never;
    };
    "/v1/campaigns/{id}/audience": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count the audience of a campaign */
        get: operations["getCampaignAudience"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel a campaign */
        post: operations["cancelCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/duplicate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Duplicate a campaign */
        post: operations["duplicateCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count the clicks on each link of a campaign */
        get: operations["listCampaignLinks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pause a campaign */
        post: operations["pauseCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/recipients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the messages of a campaign */
        get: operations["listCampaignRecipients"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resume a campaign */
        post: operations["resumeCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/schedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Schedule a campaign */
        post: operations["scheduleCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a campaign now */
        post: operations["sendCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the numbers of a campaign */
        get: operations["getCampaignStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/test-send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a test of a campaign */
        post: operations["testSendCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/changes/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Follow the changes of the account */
        get: operations["streamChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List contacts */
        get: operations["listContacts"];
        put?: never;
        /** Create or update a contact */
        post: operations["upsertContact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a contact */
        get: operations["getContact"];
        put?: never;
        post?: never;
        /** Delete a contact */
        delete: operations["deleteContact"];
        options?: never;
        head?: never;
        /** Change a contact */
        patch: operations["updateContact"];
        trace?: never;
    };
    "/v1/contacts/{id}/consents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the consents of a contact */
        get: operations["getConsents"];
        put?: never;
        /** Add to the consent ledger */
        post: operations["recordConsent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts/{id}/consents/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Export the signed consent ledger */
        get: operations["exportConsents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts/{id}/consents/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the consent statements of a contact */
        get: operations["listConsentHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts/{id}/enrollments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the enrollments of a contact */
        get: operations["listContactEnrollments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts/{id}/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Erase a contact */
        post: operations["eraseContact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts/{id}/merge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Merge two contacts */
        post: operations["mergeContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts/{id}/scores": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the scores of a contact */
        get: operations["getContactScores"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts/{id}/segments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the segments of a contact */
        get: operations["listContactSegments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Timeline of a contact */
        get: operations["getContactTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts/{id}/unmerge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Undo a merge */
        post: operations["unmergeContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change many contacts */
        post: operations["bulkChangeContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Export contacts */
        post: operations["exportContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Import contacts */
        post: operations["importContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts/import/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Preview an import */
        post: operations["previewContactImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List imports */
        get: operations["listContactImports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts/imports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an import */
        get: operations["getContactImport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts/imports/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel an import */
        post: operations["cancelContactImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts/imports/{id}/errors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the errors of an import */
        get: operations["listContactImportErrors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts/imports/{id}/revert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Revert an import */
        post: operations["revertContactImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/custom-fields": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List custom fields */
        get: operations["listCustomFields"];
        put?: never;
        /** Define a custom field */
        post: operations["createCustomField"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/custom-fields/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a custom field */
        get: operations["getCustomField"];
        put?: never;
        post?: never;
        /** Remove a custom field */
        delete: operations["deleteCustomField"];
        options?: never;
        head?: never;
        /** Change a custom field */
        patch: operations["updateCustomField"];
        trace?: never;
    };
    "/v1/enrollments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an enrollment */
        get: operations["getEnrollment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/enrollments/{id}/exit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End an enrollment */
        post: operations["exitEnrollment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List custom events */
        get: operations["listEvents"];
        put?: never;
        /** Record a custom event */
        post: operations["recordEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a custom event */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Record many custom events */
        post: operations["recordEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/forms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the forms */
        get: operations["listForms"];
        put?: never;
        /** Create a form */
        post: operations["createForm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/forms/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a form */
        get: operations["getForm"];
        put?: never;
        post?: never;
        /** Delete a form */
        delete: operations["deleteForm"];
        options?: never;
        head?: never;
        /** Update a form */
        patch: operations["updateForm"];
        trace?: never;
    };
    "/v1/forms/{id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count what happened to a form, per day */
        get: operations["getFormStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/forms/{id}/submissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the submissions of a form */
        get: operations["listFormSubmissions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/forms/{id}/submissions/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Export the submissions of a form */
        post: operations["exportFormSubmissions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/forms/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the versions of a form */
        get: operations["listFormVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inbound-messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List received messages */
        get: operations["listInboundMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inbound-messages/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a received message */
        get: operations["getInboundMessage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inbox/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count the messages of an inbox */
        get: operations["getInboxCounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inbox/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the messages of an inbox */
        get: operations["listInboxMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inbox/messages/{id}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Archive */
        post: operations["archiveInboxMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inbox/messages/{id}/click": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Record a click */
        post: operations["clickInboxMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inbox/messages/{id}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mark as read */
        post: operations["readInboxMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inbox/messages/{id}/seen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mark as seen */
        post: operations["seeInboxMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inbox/messages/{id}/unarchive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take out of the archive */
        post: operations["unarchiveInboxMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inbox/messages/{id}/unread": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mark as unread */
        post: operations["unreadInboxMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inbox/messages/archive-all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Archive all */
        post: operations["archiveInbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inbox/messages/read-all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mark all as read */
        post: operations["markInboxRead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inbox/messages/seen-all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mark all as seen */
        post: operations["markInboxSeen"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inbox/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Follow an inbox */
        get: operations["streamInbox"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inbox/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Issue a token for the inbox of a contact */
        post: operations["createInboxToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List jobs */
        get: operations["listJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a job */
        get: operations["getJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel a job */
        post: operations["cancelJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{id}/errors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the errors of a job */
        get: operations["listJobErrors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{id}/result": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download the result of a job */
        get: operations["downloadJobResult"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/journey-templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List journeys to begin with */
        get: operations["listJourneyTemplates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/journey-templates/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a journey to begin with */
        get: operations["getJourneyTemplate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/journeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List journeys */
        get: operations["listJourneys"];
        put?: never;
        /** Create a journey */
        post: operations["createJourney"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/journeys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a journey */
        get: operations["getJourney"];
        put?: never;
        post?: never;
        /** Delete a journey */
        delete: operations["deleteJourney"];
        options?: never;
        head?: never;
        /** Update the draft of a journey */
        patch: operations["updateJourney"];
        trace?: never;
    };
    "/v1/journeys/{id}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Archive a journey */
        post: operations["archiveJourney"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/journeys/{id}/enrollments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the enrollments of a journey */
        get: operations["listEnrollments"];
        put?: never;
        /** Start a journey for a contact */
        post: operations["enrollContact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/journeys/{id}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Explain where a contact stands */
        get: operations["explainJourney"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/journeys/{id}/graph.svg": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Draw a journey */
        get: operations["drawJourney"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/journeys/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pause a journey */
        post: operations["pauseJourney"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/journeys/{id}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Publish the draft of a journey */
        post: operations["publishJourney"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/journeys/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resume a journey */
        post: operations["resumeJourney"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/journeys/{id}/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Simulate a journey over the past */
        post: operations["simulateJourney"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/journeys/{id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the numbers of a journey */
        get: operations["getJourneyStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/journeys/{id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop a journey */
        post: operations["stopJourney"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/journeys/{id}/test-enroll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Try a journey with one contact */
        post: operations["testJourney"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/journeys/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the versions of a journey */
        get: operations["listJourneyVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/journeys/{id}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a version of a journey */
        get: operations["getJourneyVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/journeys/{id}/versions/{version}/difference": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Compare two versions of a journey */
        get: operations["compareJourneyVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/lists": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the lists */
        get: operations["listLists"];
        put?: never;
        /** Create a list */
        post: operations["createList"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/lists/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a list */
        get: operations["getList"];
        put?: never;
        post?: never;
        /** Delete a list */
        delete: operations["deleteList"];
        options?: never;
        head?: never;
        /** Update a list */
        patch: operations["updateList"];
        trace?: never;
    };
    "/v1/lists/{id}/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the members of a list */
        get: operations["listMembers"];
        put?: never;
        /** Add contacts to a list */
        post: operations["addMembers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/lists/{id}/contacts/{contact_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a contact from a list */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/lists/{id}/contacts/{contact_id}/resend-confirmation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send the confirmation of a list again */
        post: operations["resendConfirmation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/lists/{id}/contacts/{contact_id}/resubscribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Put a contact back on a list */
        post: operations["resubscribeMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read who is calling */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Message history */
        get: operations["listMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One message */
        get: operations["getMessage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel a message */
        post: operations["cancelMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the events of a message */
        get: operations["listMessageEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages/{id}/webhook-deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the webhook deliveries of a message */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages/{id}/webhook-deliveries/{delivery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a webhook delivery */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages/{id}/webhook-deliveries/{delivery_id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Redeliver a webhook */
        post: operations["redeliverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages/{id}/why": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Explain the status of a message */
        get: operations["explainMessage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send many messages */
        post: operations["sendMessages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages/bulk/{batch_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a bulk request */
        get: operations["getBatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send one message */
        post: operations["sendMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read this API as an OpenAPI 3.1 document */
        get: operations["getOpenApiDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the overview */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/c/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Record a click and go to its address */
        get: operations["recordClick"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/forms/{id}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Report that somebody began to fill in a form */
        post: operations["startForm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/forms/{id}/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Submit a form */
        post: operations["submitForm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/forms/confirm/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show the page to confirm a submission of a form */
        get: operations["showFormConfirmation"];
        put?: never;
        /** Confirm a submission of a form */
        post: operations["confirmFormSubmission"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/lists/confirm/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show the page to confirm a subscription */
        get: operations["showListConfirmation"];
        put?: never;
        /** Confirm a subscription */
        post: operations["confirmListMembership"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/o/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Record that an email was opened */
        get: operations["recordOpen"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/preferences/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show the preferences page */
        get: operations["showPreferences"];
        put?: never;
        /** Update preferences */
        post: operations["savePreferences"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/push/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Report what became of a push message on a device */
        post: operations["reportPushEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/unsubscribe/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show the page to unsubscribe */
        get: operations["showUnsubscribePage"];
        put?: never;
        /** Unsubscribe with one click */
        post: operations["unsubscribe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/push/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the public key of web push */
        get: operations["getPushKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/push/subscribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Subscribe a device to push messages */
        post: operations["subscribeToPush"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/push/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the devices of a contact */
        get: operations["listPushSubscriptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/push/subscriptions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End a subscription */
        delete: operations["endPushSubscription"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/push/unsubscribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Unsubscribe a device */
        post: operations["unsubscribeFromPush"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/inbound": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Simulate an inbound message */
        post: operations["simulateInboundMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List what the sandbox was handed */
        get: operations["listSandboxMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/scores": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the scores with their quality */
        get: operations["listScores"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/scores/{name}/distribution": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the distribution of a score */
        get: operations["getScoreDistribution"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/scores/{name}/distribution.svg": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Draw the distribution of a score */
        get: operations["drawScoreDistribution"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/scores/{name}/reliability.svg": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Draw the reliability of a score */
        get: operations["drawScoreReliability"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/scores/refit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Fit the scores */
        post: operations["refitScores"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/segments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the segments */
        get: operations["listSegments"];
        put?: never;
        /** Create a segment */
        post: operations["createSegment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/segments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a segment */
        get: operations["getSegment"];
        put?: never;
        post?: never;
        /** Delete a segment */
        delete: operations["deleteSegment"];
        options?: never;
        head?: never;
        /** Update a segment */
        patch: operations["updateSegment"];
        trace?: never;
    };
    "/v1/segments/{id}/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the contacts of a segment */
        get: operations["listSegmentContacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/segments/{id}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Explain a membership */
        get: operations["explainSegmentMembership"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/segments/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read when a contact was in a segment */
        get: operations["getSegmentHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/segments/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Preview the rules of a segment */
        post: operations["previewSegment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sending-domains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the domains that emails are sent from */
        get: operations["listSendingDomains"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sending-domains/{domain}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Check a domain again */
        post: operations["checkSendingDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/system/parked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the work that failed too often */
        get: operations["listParkedWork"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/system/parked/{id}/drop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give parked work up */
        post: operations["dropParkedWork"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/system/parked/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Try parked work again */
        post: operations["retryParkedWork"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/system/projections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the state of the projections */
        get: operations["listProjections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/template-partials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the partials */
        get: operations["listTemplatePartials"];
        put?: never;
        /** Store a partial */
        post: operations["storeTemplatePartial"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/template-partials/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a partial */
        get: operations["getTemplatePartial"];
        put?: never;
        post?: never;
        /** Delete a partial */
        delete: operations["deleteTemplatePartial"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the templates */
        get: operations["listTemplates"];
        put?: never;
        /** Create a template */
        post: operations["createTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a template */
        get: operations["getTemplate"];
        put?: never;
        post?: never;
        /** Delete a template */
        delete: operations["deleteTemplate"];
        options?: never;
        head?: never;
        /** Update a template */
        patch: operations["updateTemplate"];
        trace?: never;
    };
    "/v1/templates/{id}/render": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Render a template */
        post: operations["renderTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the versions of a template */
        get: operations["listTemplateVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates/variables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the variables of templates */
        get: operations["listTemplateVariables"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List saved views */
        get: operations["listViews"];
        put?: never;
        /** Save a view */
        post: operations["createView"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/views/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a saved view */
        get: operations["getView"];
        put?: never;
        post?: never;
        /** Delete a saved view */
        delete: operations["deleteView"];
        options?: never;
        head?: never;
        /** Change a saved view */
        patch: operations["updateView"];
        trace?: never;
    };
    "/v1/webhook-endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List webhook endpoints */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /** Create a webhook endpoint */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a webhook endpoint */
        get: operations["getWebhookEndpoint"];
        put?: never;
        post?: never;
        /** Delete a webhook endpoint */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /** Change a webhook endpoint */
        patch: operations["updateWebhookEndpoint"];
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the deliveries to a webhook endpoint */
        get: operations["listEndpointDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}/deliveries/{delivery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a delivery to a webhook endpoint */
        get: operations["getEndpointDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}/deliveries/{delivery_id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Redeliver to a webhook endpoint */
        post: operations["redeliverToEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replay past events to a webhook endpoint */
        post: operations["replayToEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Rotate the secret of a webhook endpoint */
        post: operations["rotateWebhookEndpointSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a ping to a webhook endpoint */
        post: operations["testWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/smtp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Receive a mail */
        post: operations["receiveMail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AcceptedBatch: {
            accepted: number;
            batch_id: string;
            /** @description Messages that repeat the `idempotency_key` of another one in the request. */
            duplicates: number;
            errors: components["schemas"]["ItemError"][];
            /** @description True if there are more than the 1000 problems that are listed. */
            errors_truncated?: boolean;
            messages?: components["schemas"]["AcceptedBulkMessage"][];
            received: number;
            rejected: number;
            /** @description Only in the response to a write with fields that have no effect: `unknown field: x` for each that does not exist, `fixed field: x` for each that cannot be changed, `ignored field: x` for each that the channel of a message does not have. */
            warnings?: string[];
        };
        AcceptedBulkMessage: {
            /** @description Index of the first message with the same `idempotency_key`. This one sends nothing. */
            duplicate_of?: number;
            id: string;
            index: number;
            status: components["schemas"]["MessageStatus"];
            status_reason?: components["schemas"]["StatusReason"];
        };
        AcceptedFormSubmission: {
            /** @description What to show to the person. */
            message: string;
            redirect_url: string | null;
            status: components["schemas"]["AcceptedFormSubmissionStatus"];
            submission_id: string;
            /** @description Only in the response to a write with fields that have no effect: `unknown field: x` for each that does not exist, `fixed field: x` for each that cannot be changed, `ignored field: x` for each that the channel of a message does not have. */
            warnings?: string[];
        };
        /** @enum {string} */
        AcceptedFormSubmissionStatus: "accepted" | "pending_confirmation";
        AcceptedMessage: {
            channel: components["schemas"]["Channel"];
            contact_id: string | null;
            /** Format: date-time */
            created_at: string;
            dry_run?: boolean;
            encoding: string | null;
            id: string;
            /** Format: date-time */
            scheduled_at: string | null;
            segments: number | null;
            status: components["schemas"]["MessageStatus"];
            status_reason: components["schemas"]["StatusReason"] | null;
            /** @description True of a message of a test key: it goes to the sandbox only. */
            test?: boolean;
            /** @description The address alone. */
            to: string;
            /** @description The name beside the address, if `to` had one. */
            to_name?: string;
            /** @description Only in the response to a write with fields that have no effect: `unknown field: x` for each that does not exist, `fixed field: x` for each that cannot be changed, `ignored field: x` for each that the channel of a message does not have. */
            warnings?: string[];
        };
        AcceptInvitationRequest: {
            name?: string | null;
            password: string;
        };
        AccountScore: {
            baseline: number | null;
            /** @description Upper ends of the bands low and medium. */
            bounds: {
                low: number;
                medium: number;
            } | null;
            horizon_days: number | null;
            name: components["schemas"]["ScoreName"];
            null_reason: components["schemas"]["ScoreNullReason"] | null;
            quality: components["schemas"]["ScoreQuality"] | null;
            reliability: components["schemas"]["ReliabilityBin"][];
            /** @description Whether contacts can have a value: the back-test passed the gate. */
            shown: boolean;
            with_value: number;
            /** @description Buyers without a value, by reason. */
            without: {
                [key: string]: number;
            };
        };
        Activity: {
            /** @description A kind of resource and what was done, for example `campaign.send`. */
            action: string;
            actor: components["schemas"]["ActivityActor"];
            /**
             * Format: date-time
             * @description Of what is counted by hour: the start of the hour.
             */
            at: string;
            /** @description Of settings and edited resources, by field. Of a value of more than 1,000 characters of JSON: its length and a fingerprint. */
            changes: {
                [key: string]: components["schemas"]["ActivityChange"];
            };
            /** @description How often it was done: by a key in the hour, or by the one request. */
            count: number;
            id: string;
            /** @description Of a user. Shown to owners and keys without a scope list. */
            ip: string | null;
            /** @description Of the request, as its answer had it in `X-Request-Id`. */
            request_id: string | null;
            resource: components["schemas"]["ActivityResource"];
            /** @description The program of a user, as it names itself. Shown like `ip`. */
            user_agent: string | null;
        };
        /** @enum {string} */
        ActivityAction: "account.create" | "campaign.cancel" | "campaign.create" | "campaign.delete" | "campaign.pause" | "campaign.resume" | "campaign.schedule" | "campaign.send" | "campaign.update" | "carrier.configure" | "carrier.remove" | "consent.grant" | "consent.request" | "consent.withdraw" | "contact.create" | "contact.delete" | "contact.erase" | "contact.merge" | "contact.unmerge" | "contact.update" | "enrollment.exit" | "enrollment.start" | "event.record" | "field.create" | "field.delete" | "field.update" | "form.create" | "form.delete" | "form.update" | "import.cancel" | "import.revert" | "job.cancel" | "job.start" | "journey.archive" | "journey.create" | "journey.delete" | "journey.pause" | "journey.publish" | "journey.resume" | "journey.stop" | "journey.update" | "key.create" | "key.revoke" | "list.add_member" | "list.create" | "list.delete" | "list.remove_member" | "list.resubscribe_member" | "list.update" | "message.cancel" | "message.send" | "parked_work.drop" | "parked_work.retry" | "push_subscription.end" | "segment.create" | "segment.delete" | "segment.update" | "session.end" | "session.start" | "settings.change_identity_secret" | "settings.rotate_webhook_secret" | "settings.update" | "suppression.add" | "suppression.lift" | "template.create" | "template.delete" | "template.update" | "template_partial.delete" | "template_partial.store" | "user.accept_invitation" | "user.change_password" | "user.create" | "user.invite" | "user.remove" | "user.turn_off_second_factor" | "user.turn_on_second_factor" | "user.update" | "user.use_recovery_code" | "view.create" | "view.delete" | "view.update" | "webhook_delivery.redeliver" | "webhook_endpoint.create" | "webhook_endpoint.delete" | "webhook_endpoint.disable" | "webhook_endpoint.enable" | "webhook_endpoint.rotate_secret" | "webhook_endpoint.update";
        ActivityActor: {
            id: string;
            kind: components["schemas"]["ActivityActorKind"];
            name: string | null;
        };
        /** @enum {string} */
        ActivityActorKind: "user" | "key" | "operator";
        ActivityChange: {
            from: unknown;
            to: unknown;
        };
        ActivityPage: {
            data: components["schemas"]["Activity"][];
            has_more: boolean;
            next_cursor: string | null;
            total?: components["schemas"]["Total"] | null;
        };
        ActivityResource: {
            /** @description Null where several are counted together. */
            id: string | null;
            kind: string;
            name: string | null;
        };
        Actor: {
            id: string;
            kind: string;
        };
        AddedMember: {
            /** @description False if nothing changed, also for a contact that had unsubscribed. */
            changed: boolean;
            contact_id: string;
            status: components["schemas"]["MembershipStatus"];
            /** @description Why nothing changed, where `changed` is false. */
            unchanged?: components["schemas"]["MembershipUnchanged"];
        };
        AddMemberError: {
            code: string;
            field: string;
            message: string;
        };
        AddMembersRequest: {
            /**
             * @description They have confirmed elsewhere, as `proof` says: they are subscribed at once, also to a list with double opt-in, and their consent to marketing email is recorded with the proof. Nobody is asked by mail. Who has left a list stays off it.
             * @default false
             */
            confirmed?: boolean;
            /** @description Ids of contacts. */
            contact_ids?: string[];
            /** @description Email addresses of contacts. */
            emails?: string[];
            /** @description Phone numbers of contacts, with country prefix. */
            phones?: string[];
            /** @description Only with `confirmed`: how you know. For example `{"text":"Double opt-in at the shop, 2023-05-01"}`. */
            proof?: string | components["schemas"]["ConsentProofInput"];
            /**
             * @description Where the request comes from, for example `checkout`.
             * @default api
             */
            source?: string;
        };
        AddMembersResult: {
            added: components["schemas"]["AddedMember"][];
            errors: components["schemas"]["AddMemberError"][];
            /** @description True if there are more than the 1000 problems that are listed. */
            errors_truncated?: boolean;
            list_id: string;
            /** @description Only in the response to a write with fields that have no effect: `unknown field: x` for each that does not exist, `fixed field: x` for each that cannot be changed, `ignored field: x` for each that the channel of a message does not have. */
            warnings?: string[];
        };
        /** @enum {string} */
        AddressKind: "email" | "phone";
        Analytics: {
            data: components["schemas"]["AnalyticsPoint"][];
            from: string;
            group_by: components["schemas"]["AnalyticsGroup"];
            interval: components["schemas"]["AnalyticsInterval"];
            to: string;
        };
        /** @enum {string} */
        AnalyticsGroup: "none" | "channel" | "campaign";
        /** @enum {string} */
        AnalyticsInterval: "day" | "week" | "month";
        AnalyticsPoint: {
            bounced: number;
            canceled: number;
            clicked: number;
            complained: number;
            delivered: number;
            failed: number;
            /** @description A channel, or the id of a campaign; null without grouping, and for messages of no campaign. */
            group: string | null;
            messages: number;
            opened: number;
            opened_by_machine: number;
            /** @description First day of the period. */
            period: string;
            replied: number;
            sent: number;
            suppressed: number;
            unsubscribed: number;
        };
        ApiKey: {
            /** Format: date-time */
            created_at: string;
            id: string;
            /** Format: date-time */
            last_used_at: string | null;
            mode: components["schemas"]["ApiKeyMode"];
            name: string;
            prefix: string;
            scopes: components["schemas"]["Scope"][] | null;
            strict: boolean;
        };
        /** @enum {string} */
        ApiKeyMode: "live" | "test";
        ApiKeyPage: {
            data: components["schemas"]["ApiKey"][];
            has_more: boolean;
            next_cursor: string | null;
            total?: components["schemas"]["Total"] | null;
        };
        AppliedColumn: {
            by: components["schemas"]["ColumnSource"];
            name: string;
            target: string;
        };
        Attachment: {
            /** @description The bytes of the file in Base64. */
            content: string;
            /**
             * @description Media type of the file.
             * @default application/octet-stream
             */
            content_type?: string;
            filename: string;
        };
        AttemptError: {
            code: string;
            message: string;
        };
        /** @enum {string} */
        AttemptTrigger: "schedule" | "manual";
        Batch: {
            accepted: number;
            batch_id: string;
            counts: components["schemas"]["BatchCounts"];
            /** Format: date-time */
            created_at: string;
            received: number;
            rejected: number;
        };
        BatchCounts: {
            bounced: number;
            canceled: number;
            delivered: number;
            expired: number;
            failed: number;
            queued: number;
            scheduled: number;
            sending: number;
            sent: number;
            suppressed: number;
            undelivered: number;
        };
        /** @enum {string} */
        BounceType: "hard" | "soft";
        Branding: {
            color: string | null;
            locale: components["schemas"]["Language"];
            logo_url: string | null;
        };
        BrandingPatch: {
            color?: string | null;
            locale?: components["schemas"]["Language"];
            logo_url?: string | null;
        };
        BrowserPushKeys: {
            /** @description Authentication secret, in base64url. */
            auth: string;
            /** @description Public key of the browser, in base64url. */
            p256dh: string;
        };
        BrowserPushSubscription: {
            /** @description An https URL. */
            endpoint: string;
            expirationTime?: number | null;
            keys: components["schemas"]["BrowserPushKeys"];
        };
        BulkMessage: {
            /** @description What a tap on a push or in-app message opens: an http or https URL, a path, or a link into an app. */
            action_url?: string;
            /** @description Files of an email, 10 MB together. */
            attachments?: components["schemas"]["Attachment"][];
            /** @description Recipients of an email whom the others do not see. */
            bcc?: string[];
            /** @default transactional */
            category?: components["schemas"]["MessageCategory"];
            /** @description Further recipients of an email, with `bcc` at most 49. One who must not be written to gets no copy. */
            cc?: string[];
            channel?: components["schemas"]["Channel"];
            /** @description The contact this message is for. It must exist. */
            contact_id?: string;
            /** @description Creates a contact for an address that has none, unless `contact_id` names one. */
            create_contact?: boolean;
            /** @description Values of `data.*` in the template. */
            data?: {
                [key: string]: unknown;
            };
            /** @description Sender: a number or a sender name; of an email its address, or `Name <address>`. Default: the sender of the account. */
            from?: string;
            /** @description Further headers of an email: `X-*`, and a few others such as `In-Reply-To`, `References` and `List-Id`. */
            headers?: {
                [key: string]: string;
            };
            /** @description HTML body of an email, beside the text. */
            html?: string;
            /** @description Identifies this message: a repeated key sends nothing. */
            idempotency_key?: string;
            /** @description Pictures and files to send along: http or https URLs. */
            media_urls?: string[];
            /** @description The text. Its maximum length depends on the channel. Required, except in an email with `html`: its text is made of the HTML. */
            message?: string;
            metadata?: components["schemas"]["Metadata"];
            push?: components["schemas"]["PushOptions"];
            /** @description Address for replies to an email, or `Name <address>`. */
            reply_to?: string;
            /**
             * Format: date-time
             * @description Time to send. One that passed more than a minute ago is refused.
             */
            send_at?: string;
            /** @description Subject line of an email. */
            subject?: string;
            /** @description Labels to find messages by. Not encrypted: do not put personal data into them. */
            tags?: string[];
            /** @description Template that the content is made from, in the language of the contact where it has a translation to that. Fields of the message come before those of the template. */
            template_id?: string;
            /** @description Title of a push or in-app message. */
            title?: string;
            /** @description Recipient: a phone number with country prefix, an email address, alone or as `Name <address>`, or for `push` and `in_app` also a contact id. */
            to?: string;
            /** @description Seconds after its time until the message expires if it is not handed over. */
            ttl_seconds?: number;
            /** @description The events that are sent to the `webhook_url`. Default: all changes of status, without engagement and deferrals. */
            webhook_events?: components["schemas"]["WebhookEvent"][];
            /** @description Absolute URL that receives a webhook for every change of status of this message. */
            webhook_url?: string;
            /** @description The template of a WhatsApp message that the recipient sees; `message` is what history shows of it. Needed where the recipient has not written within 24 hours: without it the carrier refuses the message then (`status_reason` is `template_required`). */
            whatsapp_template?: components["schemas"]["WhatsappTemplate"];
        };
        /** @enum {string} */
        BulkMode: "partial" | "atomic";
        /** @enum {string} */
        BulkResponseDetail: "full" | "summary";
        BulkTotal: {
            exact: boolean;
            value: number;
        };
        CallersAccount: {
            id: string;
            /** @description Of its pages and mails, where a recipient has none. */
            locale: string;
            name: string;
            /** @description Whether all that this caller sends reaches the sandbox only, as with a test key. */
            test: boolean;
            timezone: string;
        };
        CallingKey: {
            id: string;
            mode: components["schemas"]["ApiKeyMode"];
            name: string;
            /** @description Null is full access. */
            scopes: components["schemas"]["Scope"][] | null;
        };
        CallingUser: {
            email: string;
            id: string;
            name: string | null;
            permissions: components["schemas"]["Permission"][];
            role: components["schemas"]["Role"];
            /** @description Whether this user signs in with a second factor. */
            two_factor: boolean;
        };
        Campaign: {
            ab_test: components["schemas"]["CampaignTest"] | null;
            audience: components["schemas"]["CampaignAudience"];
            /** @description Contacts of the frozen audience; null before it is frozen. */
            audience_count: number | null;
            category: components["schemas"]["MessageCategory"];
            channel: components["schemas"]["Channel"];
            content: components["schemas"]["CampaignContent"];
            /** Format: date-time */
            created_at: string;
            error_policy: components["schemas"]["CampaignErrorPolicy"];
            /** Format: date-time */
            finished_at: string | null;
            frequency_cap: {
                max: number;
                per: string;
            } | null;
            id: string;
            name: string;
            schedule: components["schemas"]["CampaignSchedule"] | null;
            /**
             * Format: date-time
             * @description When it starts, or was to start; null where it is not scheduled.
             */
            start_at: string | null;
            /** Format: date-time */
            started_at: string | null;
            status: components["schemas"]["CampaignStatus"];
            /** @description Why it is paused or failed. */
            status_reason: string | null;
            test: components["schemas"]["CampaignTestState"] | null;
            throttle: {
                per_minute: number;
            } | null;
            /** Format: date-time */
            updated_at: string;
            variants: components["schemas"]["CampaignVariant"][];
            version: number;
            /** @description When it is stored: variables of its contents that nobody has, with the nearest known name, and divisions whose result is another one than before. */
            warnings?: string[];
            webhook_url: string | null;
        };
        CampaignAudience: {
            /** @description Contacts that get nothing, even if `include` names them. */
            exclude?: components["schemas"]["CampaignAudienceExcluded"];
            /** @description The union of all that is named. One who is named several times is messaged once. */
            include: components["schemas"]["CampaignAudienceIncluded"];
        };
        CampaignAudienceExcluded: {
            /** @description Contacts by their ids. */
            contact_ids?: string[];
            /** @description Contacts with the status `subscribed` on one of these lists. */
            list_ids?: string[];
            /** @description Members of one of these segments. */
            segment_ids?: string[];
        };
        CampaignAudienceIncluded: {
            /** @description Contacts by their ids. */
            contact_ids?: string[];
            /** @description All contacts of the account. */
            everyone?: boolean;
            /** @description Contacts with the status `subscribed` on one of these lists. */
            list_ids?: string[];
            /** @description Members of one of these segments. */
            segment_ids?: string[];
        };
        CampaignChange: {
            ab_test?: components["schemas"]["CampaignTest"] | null;
            audience?: components["schemas"]["CampaignAudience"];
            /** @default marketing */
            category?: components["schemas"]["MessageCategory"];
            content?: components["schemas"]["CampaignContent"];
            /**
             * @description What happens to a contact whose message is invalid: it is skipped, or the campaign pauses.
             * @default skip
             */
            error_policy?: components["schemas"]["CampaignErrorPolicy"];
            frequency_cap?: components["schemas"]["CampaignFrequencyCap"] | null;
            name?: string;
            schedule?: components["schemas"]["CampaignScheduleRequest"] | null;
            throttle?: components["schemas"]["CampaignThrottle"] | null;
            /** @description The translations of `content`, beside it: the same as `content.translations`. */
            translations?: {
                [key: string]: components["schemas"]["ContentTranslation"];
            } | null;
            variants?: components["schemas"]["CampaignVariant"][];
            webhook_url?: string | null;
        };
        CampaignContent: {
            action_url?: string;
            data?: {
                [key: string]: unknown;
            };
            from?: string;
            html?: string;
            message?: string;
            /** @description What mail programs show beside the subject of an email; hidden in the HTML. */
            preheader?: string;
            reply_to?: string;
            subject?: string;
            template_id?: string;
            title?: string;
            /** @description The same in other languages, by language tag: `{"de": {"subject": "…", "html": "…"}}`. A translation has all texts that the default has; links and senders may be left out. The `locale` of the contact picks: of `pt-BR`, then `pt`, then the default. */
            translations?: {
                [key: string]: components["schemas"]["ContentTranslation"];
            };
            /** @description The template of a WhatsApp message that the recipient sees, with the values of its variables in Liquid; `message` is what history shows. */
            whatsapp_template?: components["schemas"]["WhatsappTemplate"];
        };
        /** @enum {string} */
        CampaignErrorPolicy: "skip" | "pause";
        CampaignFrequencyCap: {
            max: number;
            per: string;
        };
        CampaignLink: {
            by_variant: {
                [key: string]: components["schemas"]["CampaignLinkCounters"];
            };
            /** @description How many people followed it. */
            clickers: number;
            clickers_by_machine: number;
            /** @description How often people followed it; repeats within an hour count once. */
            clicks: number;
            clicks_by_machine: number;
            /** @description As the content names it, with its Liquid; null for all addresses that it does not name, or not clearly. */
            url: string | null;
        };
        CampaignLinkCounters: {
            /** @description How many people followed it. */
            clickers: number;
            clickers_by_machine: number;
            /** @description How often people followed it; repeats within an hour count once. */
            clicks: number;
            clicks_by_machine: number;
        };
        CampaignReach: {
            no_address: number;
            no_consent: number;
            reachable: number;
            suppressed: number;
            /** @description What its test of variants can find, where it has one. */
            test?: components["schemas"]["CampaignTestPlan"];
            total: number;
            /** @description What to correct before it is sent: a missing sender, or a domain that is not verified. */
            warnings?: string[];
        };
        /** @enum {string} */
        CampaignRecipientStatus: "scheduled" | "queued" | "sending" | "sent" | "delivered" | "undelivered" | "bounced" | "failed" | "suppressed" | "canceled" | "expired" | "skipped";
        CampaignRequest: {
            ab_test?: components["schemas"]["CampaignTest"] | null;
            audience: components["schemas"]["CampaignAudience"];
            /** @default marketing */
            category?: components["schemas"]["MessageCategory"];
            channel: components["schemas"]["Channel"];
            content: components["schemas"]["CampaignContent"];
            /**
             * @description What happens to a contact whose message is invalid: it is skipped, or the campaign pauses.
             * @default skip
             */
            error_policy?: components["schemas"]["CampaignErrorPolicy"];
            frequency_cap?: components["schemas"]["CampaignFrequencyCap"] | null;
            name: string;
            schedule?: components["schemas"]["CampaignScheduleRequest"] | null;
            throttle?: components["schemas"]["CampaignThrottle"] | null;
            /** @description The translations of `content`, beside it: the same as `content.translations`. */
            translations?: {
                [key: string]: components["schemas"]["ContentTranslation"];
            } | null;
            variants?: components["schemas"]["CampaignVariant"][];
            webhook_url?: string | null;
        };
        CampaignSchedule: {
            /**
             * Format: date-time
             * @description When it starts. With `use_contact_timezone`, its local time counts in the zone of each contact.
             */
            send_at?: string;
            /** @description Each contact is messaged at its best hour within a day of the start: the local hour at which it engages most, or else the hour of the account, or else 17:00, inside the window and outside quiet hours. One in ten is messaged at another hour. */
            send_time?: components["schemas"]["CampaignSendTime"];
            /** @description Who could only be messaged this much after the time to send gets nothing. */
            skip_if_late_seconds?: number;
            /** @description IANA name. Default: the zone of the account. */
            timezone?: string;
            use_contact_timezone?: boolean;
            /** @description Messages go out within these local times only. */
            window?: components["schemas"]["CampaignWindow"];
        };
        CampaignScheduleRequest: {
            /**
             * Format: date-time
             * @description When it starts. With `use_contact_timezone`, its local time counts in the zone of each contact.
             */
            send_at?: string;
            /** @description Each contact is messaged at its best hour within a day of the start: the local hour at which it engages most, or else the hour of the account, or else 17:00, inside the window and outside quiet hours. One in ten is messaged at another hour. */
            send_time?: components["schemas"]["CampaignSendTime"];
            /** @description Who could only be messaged this much after the time to send gets nothing. */
            skip_if_late_seconds?: number;
            /**
             * Format: date-time
             * @description Another name of `send_at`.
             */
            start_at?: string;
            /** @description IANA name. Default: the zone of the account. */
            timezone?: string;
            use_contact_timezone?: boolean;
            /** @description Messages go out within these local times only. */
            window?: components["schemas"]["CampaignWindow"];
        };
        /** @enum {string} */
        CampaignSendTime: "best_hour";
        CampaignSentData: {
            campaign: components["schemas"]["SentCampaign"];
            counts: components["schemas"]["SentCampaignCounts"];
            /** Format: date-time */
            finished_at: string;
            /** Format: date-time */
            started_at: string;
        };
        CampaignSentWebhook: {
            account_id: string;
            data: components["schemas"]["CampaignSentData"];
            /** @constant */
            event: "campaign.sent";
            event_id: string;
            /** Format: date-time */
            occurred_at: string;
            /** @description True of what a test key caused. */
            test?: boolean;
        };
        CampaignStats: {
            /** @description Contacts of the frozen audience: those with a message, and those that are skipped. */
            audience: number;
            bounced: number;
            by_variant: {
                [key: string]: components["schemas"]["MessageCounters"];
            };
            canceled: number;
            clicked: number;
            complained: number;
            delivered: number;
            failed: number;
            opened: number;
            opened_by_machine: number;
            queued: number;
            replied: number;
            sent: number;
            /** @description Contacts without a message: they have no address of the channel, are gone, or are one with another. */
            skipped: number;
            suppressed: number;
            test: components["schemas"]["CampaignTestNumbers"] | null;
            unsubscribed: number;
        };
        /** @enum {string} */
        CampaignStatus: "draft" | "scheduled" | "sending" | "testing" | "paused" | "sent" | "canceled" | "failed";
        CampaignSummary: {
            /** @description Contacts of the frozen audience; null before it is frozen. */
            audience_count: number | null;
            category: components["schemas"]["MessageCategory"];
            channel: components["schemas"]["Channel"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            finished_at: string | null;
            id: string;
            name: string;
            /**
             * Format: date-time
             * @description When it starts, or was to start; null where it is not scheduled.
             */
            start_at: string | null;
            /** Format: date-time */
            started_at: string | null;
            status: components["schemas"]["CampaignStatus"];
            /** Format: date-time */
            updated_at: string;
            version: number;
        };
        CampaignSummaryPage: {
            data: components["schemas"]["CampaignSummary"][];
            has_more: boolean;
            next_cursor: string | null;
            total?: components["schemas"]["Total"] | null;
        };
        CampaignTest: {
            /**
             * @description Sends the better variant to all others; otherwise the campaign pauses.
             * @default true
             */
            auto_send_winner?: boolean;
            /** @description The test is decided once, after this time. */
            duration_seconds: number;
            metric: components["schemas"]["CampaignTestMetric"];
            /** @description Share of the audience that takes part in the test. */
            sample_percent: number;
        };
        CampaignTestArm: {
            expected_loss: number;
            interval: number[];
            key: string;
            n: number;
            p_best: number;
            rate: number;
            successes: number;
        };
        CampaignTestMessage: {
            id: string;
            status: string;
            to: string;
        };
        /** @enum {string} */
        CampaignTestMetric: "click_rate" | "open_rate";
        CampaignTestNumbers: {
            arms: components["schemas"]["CampaignTestArm"][];
            p_sample_ratio: number;
            wording: string;
        };
        CampaignTestPlan: {
            /** @description Contacts that each variant needs to find a difference of a tenth of the rate. */
            needed: number;
            /** @description What is expected of the metric: the rate of the campaigns of this channel in the last 90 days; of fewer than 1,000 messages an assumed one. */
            rate: number;
            /** @description The smallest difference between two rates that is found in four of five tests; null where none is. */
            smallest_difference: number | null;
            variants: components["schemas"]["CampaignTestShare"][];
            wording: string;
        };
        /** @enum {string} */
        CampaignTestResult: "winner" | "no_clear_winner" | "void";
        CampaignTestSendRequest: {
            /** @description The contact whose data fills the variables in. */
            contact_id?: string;
            /**
             * Format: language-tag
             * @description Language tag of the reader, which picks the translation. Default: the `locale` of the contact.
             */
            locale?: string;
            /** @description Addresses that get the test. */
            to: string[];
            /** @description Default: the first one. */
            variant?: string;
        };
        CampaignTestSendResult: {
            messages: components["schemas"]["CampaignTestMessage"][];
            /** @description Only in the response to a write with fields that have no effect: `unknown field: x` for each that does not exist, `fixed field: x` for each that cannot be changed, `ignored field: x` for each that the channel of a message does not have. */
            warnings?: string[];
        };
        CampaignTestShare: {
            /** @description In the mean. */
            contacts: number;
            key: string;
        };
        CampaignTestState: {
            /**
             * Format: date-time
             * @description When the test is decided.
             */
            decide_at: string;
            result: components["schemas"]["CampaignTestResult"] | null;
            /** @description What all others get; null before the decision. */
            variant: string | null;
        };
        CampaignThrottle: {
            per_minute: number;
        };
        CampaignVariant: {
            /** @description Fields that replace those of the campaign. */
            content: components["schemas"]["CampaignContent"];
            key: string;
            /** @description Its share, relative to the weights of the others. */
            weight: number;
        };
        CampaignWindow: {
            /** @description Days of the week, 1 is Monday. */
            days: number[];
            end: string;
            start: string;
        };
        CanceledMessage: {
            id: string;
            status: components["schemas"]["MessageStatus"];
        };
        CarrierRoutes: {
            email: string[] | null;
            in_app: string[] | null;
            push: string[] | null;
            rcs: string[] | null;
            sms: string[] | null;
            whatsapp: string[] | null;
        };
        CarrierRoutesPatch: {
            email?: string[] | null;
            in_app?: string[] | null;
            push?: string[] | null;
            rcs?: string[] | null;
            sms?: string[] | null;
            whatsapp?: string[] | null;
        };
        ChangeEvent: {
            /** @description JSON: of a `change` its `resource`, `id` and `change`, which is `created`, `updated`, `deleted`, or `many` without an id. */
            data: string;
            event: components["schemas"]["ChangeEventType"];
            /** @description The position, for `Last-Event-ID`. */
            id: string;
        };
        /** @enum {string} */
        ChangeEventType: "change" | "reset";
        ChangePasswordRequest: {
            current: string;
            new: string;
        };
        /** @enum {string} */
        Channel: "sms" | "email" | "whatsapp" | "rcs" | "push" | "in_app";
        /** @enum {string} */
        ColumnSource: "mapping" | "table";
        ConfirmFormSubmissionRequest: {
            /** @description Language of the page: its text is a proof of the consent. */
            language?: components["schemas"]["Language"];
        };
        ConfirmListMembershipRequest: {
            /** @description Language of the page: its text is a proof of the consent. */
            language?: components["schemas"]["Language"];
        };
        ConfirmSecondFactorRequest: {
            code: string;
        };
        ConsentCause: {
            id: string;
            kind: string;
        };
        /** @enum {string} */
        ConsentChannel: "all" | "sms" | "email" | "whatsapp" | "rcs" | "push" | "in_app";
        ConsentExport: {
            account_id: string;
            /** Format: date-time */
            as_of: string | null;
            /** @description Hash of the last entry. */
            chain_head: string | null;
            contact: components["schemas"]["ExportedContact"];
            /** @description The ledger. Each entry has the hash of the one before it. */
            entries: components["schemas"]["ExportedConsentEntry"][];
            /** Format: date-time */
            exported_at: string;
            /** @description `heliograph-consent-export/1`. */
            format: string;
            /** Format: date-time */
            known_at: string | null;
            /** @description Ed25519, in base64url. */
            public_key: string;
            /** @description Of the canonical JSON (RFC 8785) of all other fields, in base64url. */
            signature: string;
            /** @description The entry that is in effect for each channel and purpose. */
            standing: components["schemas"]["ExportedConsent"][];
            suppressions: components["schemas"]["ExportedSuppression"][];
        };
        ConsentInput: {
            /** @description One channel, or `all` channels, including future ones. */
            channel: components["schemas"]["ConsentChannel"];
            /**
             * @description GDPR, article 6 (1).
             * @default consent
             */
            lawful_basis?: components["schemas"]["LawfulBasis"];
            /**
             * Format: date-time
             * @description Time of the statement; a time in the future counts as now. Default: now.
             */
            occurred_at?: string;
            proof?: components["schemas"]["ConsentProofInput"];
            /** @description The purpose, in your own words. Sends of the category `marketing` need the purpose `marketing`. Not encrypted: do not put personal data into it. */
            purpose: string;
            /**
             * @description Source of the information, in your own words.
             * @default api
             */
            source?: string;
            status: components["schemas"]["ConsentStatus"];
        };
        ConsentLedgerEntry: {
            actor: components["schemas"]["Actor"];
            cause: components["schemas"]["ConsentCause"];
            channel: components["schemas"]["ConsentChannel"];
            /** @description The contact of the statement: this one, or one that is merged into it. */
            contact_id: string;
            event_id: string;
            lawful_basis: components["schemas"]["LawfulBasis"];
            /** Format: date-time */
            occurred_at: string;
            proof: components["schemas"]["ConsentProof"];
            purpose: string;
            /** Format: date-time */
            recorded_at: string;
            request_id: string;
            source: string;
            status: components["schemas"]["ConsentStatus"];
            /** @description Only in the response to a write with fields that have no effect: `unknown field: x` for each that does not exist, `fixed field: x` for each that cannot be changed, `ignored field: x` for each that the channel of a message does not have. */
            warnings?: string[];
        };
        ConsentLedgerEntryPage: {
            data: components["schemas"]["ConsentLedgerEntry"][];
            has_more: boolean;
            next_cursor: string | null;
            total?: components["schemas"]["Total"] | null;
        };
        ConsentProof: {
            form_id: string | null;
            ip: string | null;
            language?: string | null;
            text: string | null;
            text_version: string | null;
            user_agent: string | null;
        };
        ConsentProofInput: {
            /** @description The form in which the statement was made. */
            form_id?: string | null;
            /** @description Address from which the statement was made. */
            ip?: string | null;
            /**
             * Format: language-tag
             * @description Language in which the text was shown: a language tag.
             */
            language?: string | null;
            /** @description The consent text. */
            text?: string | null;
            /** @description Version of the text that was agreed to. */
            text_version?: string | null;
            /** @description Browser with which the statement was made. */
            user_agent?: string | null;
        };
        /** @enum {string} */
        ConsentRule: "opt_in" | "opt_out";
        ConsentsByChannel: {
            [key: string]: components["schemas"]["ConsentsByPurpose"];
        };
        ConsentsByPurpose: {
            [key: string]: components["schemas"]["ConsentStatus"];
        };
        /** @enum {string} */
        ConsentStatus: "granted" | "withdrawn" | "pending";
        ConsentStatusByPurpose: {
            [key: string]: string;
        };
        /** @enum {string} */
        Consistency: "eventual";
        Contact: {
            consents: components["schemas"]["ContactConsentStatuses"];
            /** Format: date-time */
            created_at: string;
            custom_fields: {
                [key: string]: unknown;
            };
            email: string | null;
            first_name: string | null;
            id: string;
            last_name: string | null;
            lists: components["schemas"]["ContactListMembership"][];
            locale: string | null;
            merged_ids: string[];
            other_emails: string[];
            other_phones: string[];
            phone: string | null;
            possible_duplicates?: string[];
            scores: components["schemas"]["ContactScoresOnRecord"];
            source: components["schemas"]["ContactSource"];
            suppressed_channels: string[];
            suppressions: components["schemas"]["ContactChannelSuppression"][];
            tags: string[];
            timezone: string | null;
            /** Format: date-time */
            updated_at: string;
            version: number;
            /** @description Only in the response to a write with fields that have no effect: `unknown field: x` for each that does not exist, `fixed field: x` for each that cannot be changed, `ignored field: x` for each that the channel of a message does not have. */
            warnings?: string[];
        };
        ContactBouncedData: {
            address: string;
            bounce_type: components["schemas"]["BounceType"];
            code: string | null;
            contact: components["schemas"]["Contact"] | null;
            diagnostic: string | null;
            message_id: string | null;
            suppressed: boolean;
        };
        ContactBouncedWebhook: {
            account_id: string;
            data: components["schemas"]["ContactBouncedData"];
            /** @constant */
            event: "contact.bounced";
            event_id: string;
            /** Format: date-time */
            occurred_at: string;
            /** @description True of what a test key caused. */
            test?: boolean;
        };
        /** @enum {string} */
        ContactBulkAction: "tag" | "untag" | "add_to_list" | "remove_from_list" | "suppress" | "delete";
        ContactBulkDryRun: {
            /** @constant */
            dry_run: true;
            sample: components["schemas"]["Contact"][];
            /** @description Exact up to 10,000; above, `exact` is false. */
            total: components["schemas"]["BulkTotal"];
            /** @description Only in the response to a write with fields that have no effect: `unknown field: x` for each that does not exist, `fixed field: x` for each that cannot be changed, `ignored field: x` for each that the channel of a message does not have. */
            warnings?: string[];
        };
        ContactBulkFilter: {
            custom_fields?: {
                [key: string]: string;
            };
            /** @description The contact with this address. */
            email?: string;
            /** @description Contacts with the status `subscribed` on this list. */
            list_id?: string;
            /** @description The contact with this number. */
            phone?: string;
            possible_duplicates?: boolean;
            /** @description Words of names, emails or phone numbers, as in the list. */
            q?: string;
            /** @description Contacts that are in this segment when the job comes to them. */
            segment_id?: string;
            /** @description Contacts with this tag. */
            tag?: string;
        };
        ContactBulkRequest: {
            /** @description What to do with each contact. */
            action: components["schemas"]["ContactBulkAction"];
            /**
             * @description Only says how many contacts it is about, with the first ones.
             * @default false
             */
            dry_run?: boolean;
            /** @description As in `GET /v1/contacts`; every part must match. Empty: all contacts. */
            filter?: components["schemas"]["ContactBulkFilter"];
            /** @description Contacts by their ids, instead of `filter`. */
            ids?: string[];
            /** @description Of `add_to_list` and `remove_from_list`. */
            list_id?: string;
            /** @description Of `tag` and `untag`. */
            tags?: string[];
        };
        ContactChannelSuppression: {
            channel: string;
            domain?: string;
            reason: components["schemas"]["SuppressionReason"];
            scope: components["schemas"]["SuppressionScope"];
            /** Format: date-time */
            since: string;
        };
        ContactConsents: {
            /** Format: date-time */
            as_of: string | null;
            consents: components["schemas"]["ConsentsByChannel"];
            contact_id: string;
            data: components["schemas"]["CurrentConsent"][];
            /** Format: date-time */
            known_at: string | null;
            suppressions: components["schemas"]["ContactSuppression"][];
        };
        ContactConsentStatuses: {
            [key: string]: components["schemas"]["ConsentStatusByPurpose"];
        };
        ContactCreatedData: {
            contact: components["schemas"]["Contact"];
            source: components["schemas"]["ContactSource"];
        };
        ContactCreatedWebhook: {
            account_id: string;
            data: components["schemas"]["ContactCreatedData"];
            /** @constant */
            event: "contact.created";
            event_id: string;
            /** Format: date-time */
            occurred_at: string;
            /** @description True of what a test key caused. */
            test?: boolean;
        };
        ContactExportFilter: {
            custom_fields?: {
                [key: string]: string;
            };
            email?: string;
            list_id?: string;
            phone?: string;
            segment_id?: string;
            tag?: string;
        };
        /** @enum {string} */
        ContactExportFormat: "ndjson" | "csv";
        /** @description Your own identifier: a `unique` custom field and its value. */
        ContactIdentifier: {
            key: string;
            value: unknown;
        };
        ContactImport: {
            /** @description Only in the response to the import: the columns that are applied, each with what it fills or says. */
            columns?: components["schemas"]["AppliedColumn"][];
            /** @description Rows that created a contact. */
            created: number;
            /** Format: date-time */
            created_at: string;
            /** @description Number of errors. */
            error_count: number;
            errors: components["schemas"]["ImportRowError"][];
            /** @description Rows that were skipped. `errors` has the reasons. */
            failed: number;
            /** Format: date-time */
            finished_at: string | null;
            id: string;
            /** @description Of all rows, those whose email nobody had and whose phone belongs to a contact with another email. `warnings` has them. */
            matched_by_phone: number;
            /** @description Rows that changed an existing contact. */
            merged: number;
            /** @description Processed rows. */
            processed: number;
            reverted: components["schemas"]["RevertedRows"] | null;
            status: components["schemas"]["ContactImportStatus"];
            /** @description Of all rows, those with a suppressed address. */
            suppressed: number;
            total: number;
            /** @description Rows without changes. */
            unchanged: number;
            /** @description Columns and fields that fill nothing, as texts; and rows whose addresses belong to others, each with its number. Up to 1,000. */
            warnings?: (string | components["schemas"]["IdentityWarning"])[];
        };
        ContactImportDryRun: {
            /** @description Only in the response to the import: the columns that are applied, each with what it fills or says. */
            columns?: components["schemas"]["AppliedColumn"][];
            /** @description Rows that created a contact. */
            created: number;
            errors: components["schemas"]["ImportRowError"][];
            /** @description True if there are more than the 1000 problems that are listed. */
            errors_truncated?: boolean;
            /** @description Rows that were skipped. `errors` has the reasons. */
            failed: number;
            id: null;
            /** @description Of all rows, those whose email nobody had and whose phone belongs to a contact with another email. `warnings` has them. */
            matched_by_phone: number;
            /** @description Rows that changed an existing contact. */
            merged: number;
            status: components["schemas"]["DryRunStatus"];
            /** @description Of all rows, those with a suppressed address. */
            suppressed: number;
            total: number;
            /** @description Rows without changes. */
            unchanged: number;
            /** @description Columns and fields that fill nothing, as texts; and rows whose addresses belong to others, each with its number. Up to 1,000. */
            warnings?: (string | components["schemas"]["IdentityWarning"])[];
        };
        ContactImportForm: {
            /** @description The CSV. Its first row has the column names. */
            file: string;
            options?: components["schemas"]["ContactImportOptions"];
        };
        ContactImportOptions: {
            /**
             * @description They have confirmed elsewhere, as `proof` says: they are subscribed at once, also to a list with double opt-in, and their consent to marketing email is recorded with the proof. Nobody is asked by mail. Who has left a list stays off it.
             * @default false
             */
            confirmed?: boolean;
            consent?: components["schemas"]["ConsentInput"];
            /** @description Only with a file: the country of phone numbers without a prefix, as ISO 3166 has it: `DE`. */
            country?: string;
            /** @description Only with a file: how dates are written, for all columns or by the name of the column: `DD.MM.YYYY`, `MM/DD/YYYY`, `unix`. By default the cells of each column decide. `2026-01-31` is read in any case. */
            date_format?: string | {
                [key: string]: string;
            };
            /** @description Only with a file: what separates a number from its fraction. By default the cells of each column decide. */
            decimal?: components["schemas"]["DecimalSeparator"];
            /** @description Only with a file. Default: the one of comma, semicolon, tab and bar that fits. */
            delimiter?: string;
            /** @description Validates and counts without writing. */
            dry_run?: boolean;
            /** @description Only with a file: its encoding, such as `windows-1252` or `shift_jis`. By default its byte order mark decides; a file without one is UTF-8, or else Windows-1252, which `warnings` says. */
            encoding?: string;
            fields_mode?: components["schemas"]["FieldsMode"];
            /** @description Names of columns to leave out, as `null` in `mapping` does. */
            ignore_columns?: string[];
            list_ids?: string[];
            /** @description By the name of a column: what it fills or says, or null for a column to ignore. `email`, `tags`, `custom_fields.plan`; `consent.<channel>` and `suppression.<channel>`, whose cells are yes or no, or words such as `subscribed`, `unsubscribed` and `bounced`; `lists.<id or name>`. Other columns are recognized by their names, also those of the exports of other services; what these say of consent only lowers, and never grants. */
            mapping?: {
                [key: string]: string | null;
            };
            on_conflict?: components["schemas"]["OnConflict"];
            /** @description Only with `confirmed`: how you know. For example `{"text":"Double opt-in at the shop, 2023-05-01"}`. */
            proof?: string | components["schemas"]["ConsentProofInput"];
            /**
             * @description Journeys start as if each contact had been changed by itself: by `contact_created`, `list_added`, `segment_entered` and `segment_left`. By default an import starts none, but those whose trigger has `include_existing`.
             * @default false
             */
            start_journeys?: boolean;
            /**
             * @description Only with a file: a row with any wrong cell is an error. By default wrong cells are left out, and counted in `warnings`, if another field identifies the contact.
             * @default false
             */
            strict?: boolean;
        };
        ContactImportPage: {
            data: components["schemas"]["ContactImport"][];
            has_more: boolean;
            next_cursor: string | null;
            total?: components["schemas"]["Total"] | null;
        };
        ContactImportPreview: {
            columns: components["schemas"]["PreviewColumn"][];
            delimiter: string | null;
            /** @description The encoding of the file; null of JSON. */
            encoding: string | null;
            /** @description Why the import would not begin. Without `rows` if they cannot be read at all. */
            errors: components["schemas"]["PreviewProblem"][];
            rows: components["schemas"]["PreviewRow"][];
            /** @description The proposals are made by so many rows, at most 1000. The import looks at all rows before it begins, and may stop at a value that this preview has not seen. */
            sampled_rows: number;
            warnings?: string[];
        };
        /** @enum {string} */
        ContactImportStatus: "queued" | "running" | "canceling" | "completed" | "canceled" | "failed" | "reverting" | "reverted";
        ContactList: {
            counts: components["schemas"]["MemberCounts"];
            /** Format: date-time */
            created_at: string;
            description: string | null;
            id: string;
            name: string;
            opt_in: components["schemas"]["OptIn"];
            /** Format: date-time */
            updated_at: string;
            version: number;
            /** @description Only in the response to a write with fields that have no effect: `unknown field: x` for each that does not exist, `fixed field: x` for each that cannot be changed, `ignored field: x` for each that the channel of a message does not have. */
            warnings?: string[];
        };
        ContactListMembership: {
            id: string;
            status: string;
        };
        ContactListPage: {
            data: components["schemas"]["ContactList"][];
            has_more: boolean;
            next_cursor: string | null;
            total?: components["schemas"]["Total"] | null;
        };
        ContactPage: {
            data: components["schemas"]["Contact"][];
            has_more: boolean;
            next_cursor: string | null;
            total?: components["schemas"]["Total"] | null;
        };
        ContactScore: {
            /** Format: date-time */
            as_of: string;
            band: components["schemas"]["ScoreBand"] | null;
            currency: string | null;
            explanation: components["schemas"]["ScoreExplanation"] | null;
            horizon_days: number | null;
            /** @description Of a date: its quartiles. */
            interval: {
                /** Format: date-time */
                p25: string;
                /** Format: date-time */
                p75: string;
            } | null;
            model: string | null;
            model_version: number | null;
            name: components["schemas"]["ScoreName"];
            null_reason: components["schemas"]["ScoreNullReason"] | null;
            quality: components["schemas"]["ScoreQuality"] | null;
            /** @description A number, of `best_send_hour_…` the local hour; a time for `expected_next_order_at`; null where `null_reason` says why. */
            value: (number | string) | null;
        };
        ContactScores: {
            /** Format: date-time */
            as_of: string;
            contact_id: string;
            scores: components["schemas"]["ContactScore"][];
        };
        ContactScoresOnRecord: {
            [key: string]: components["schemas"]["ScoreOnRecord"];
        };
        ContactSegment: {
            id: string;
            name: string;
        };
        ContactSegments: {
            contact_id: string;
            data: components["schemas"]["ContactSegment"][];
        };
        /** @enum {string} */
        ContactSource: "api" | "import" | "event" | "message" | "form" | "preference_center" | "push";
        ContactSuppression: {
            address: components["schemas"]["AddressKind"];
            channel: components["schemas"]["SuppressionChannel"];
            /** @description Of the entry of a whole domain, which holds for all its addresses. */
            domain?: string;
            /** Format: date-time */
            occurred_at: string;
            reason: components["schemas"]["SuppressionReason"];
            scope: components["schemas"]["SuppressionScope"];
            source: string;
            via: components["schemas"]["SuppressionMethod"] | null;
        };
        ContactTimelineEntry: {
            /** @description The contact of the event: this one, or one that is merged into it. Null for events of an address. */
            contact_id: string | null;
            data: {
                [key: string]: unknown;
            };
            id: string;
            kind: components["schemas"]["ContactTimelineKind"];
            /** Format: date-time */
            occurred_at: string;
            /** @description Name of the event; `MessageAccepted` for a message, which has a timeline of its own; `CustomEventRecorded` for a custom event; `InboundTextReceived` or `InboundEmailReceived` for what the person wrote. */
            type: string;
        };
        ContactTimelineEntryPage: {
            data: components["schemas"]["ContactTimelineEntry"][];
            has_more: boolean;
            next_cursor: string | null;
            total?: components["schemas"]["Total"] | null;
        };
        /** @enum {string} */
        ContactTimelineKind: "contact" | "consent" | "list" | "suppression" | "message" | "inbound" | "event";
        ContactUnsubscribedData: {
            address: string | null;
            channel: components["schemas"]["SuppressionChannel"];
            contact: components["schemas"]["Contact"] | null;
            keyword: string | null;
            list_id: string | null;
            message_id: string | null;
            source: components["schemas"]["OptOutSource"];
        };
        ContactUnsubscribedWebhook: {
            account_id: string;
            data: components["schemas"]["ContactUnsubscribedData"];
            /** @constant */
            event: "contact.unsubscribed";
            event_id: string;
            /** Format: date-time */
            occurred_at: string;
            /** @description True of what a test key caused. */
            test?: boolean;
        };
        ContactUpdatedData: {
            changes: components["schemas"]["FieldChanges"];
            contact: components["schemas"]["Contact"];
            merged_from: string[];
        };
        ContactUpdatedWebhook: {
            account_id: string;
            data: components["schemas"]["ContactUpdatedData"];
            /** @constant */
            event: "contact.updated";
            event_id: string;
            /** Format: date-time */
            occurred_at: string;
            /** @description True of what a test key caused. */
            test?: boolean;
        };
        ContentTranslation: {
            action_url?: string;
            from?: string;
            html?: string;
            message?: string;
            /** @description What mail programs show beside the subject of an email; hidden in the HTML. */
            preheader?: string;
            reply_to?: string;
            subject?: string;
            title?: string;
            /** @description The template of a WhatsApp message that the recipient sees, with the values of its variables in Liquid; `message` is what history shows. */
            whatsapp_template?: components["schemas"]["WhatsappTemplate"];
        };
        /** @enum {string} */
        CountFlag: "true" | "false";
        CreateApiKeyRequest: {
            /** @default live */
            mode?: components["schemas"]["ApiKeyMode"];
            name: string;
            scopes?: components["schemas"]["Scope"][] | null;
            /**
             * @description Every request of this key with an unknown field in its body is refused (`unknown_field`), as with `?strict=true`.
             * @default false
             */
            strict?: boolean;
        };
        CreateCustomFieldRequest: {
            /** @description Lower case letters, digits and `_`. Fixed once made. */
            key: string;
            label: string;
            options?: string[] | null;
            pii?: boolean;
            type: components["schemas"]["CustomFieldType"];
            unique?: boolean;
        };
        CreateFormRequest: {
            allowed_origins?: string[];
            consent?: components["schemas"]["FormConsentRequest"] | null;
            /**
             * @description The contact confirms by email before anything but the submission counts.
             * @default false
             */
            double_opt_in?: boolean;
            fields: components["schemas"]["FormFieldRequest"][];
            honeypot_field?: string | null;
            /** @description In which the form is written. Default: that of the account. Its page, consent and mails are in it. */
            language?: components["schemas"]["Language"];
            list_ids?: string[];
            /**
             * @description A submission that comes sooner after the page is dropped.
             * @default 0
             */
            min_seconds?: number;
            /** @description Name of the form, and the title of its page. */
            name: string;
            /** @description Where the browser goes after a submission. */
            redirect_url?: string | null;
            /** @description Last part of the address of the page. Unique over the whole service. */
            slug: string;
            /** @default draft */
            status?: components["schemas"]["FormStatus"];
            /** @description What the page shows after a submission. */
            success_message?: string | null;
            tags?: string[];
            /** @description The former name of `translations`. In a change it replaces all of them. */
            texts?: {
                [key: string]: components["schemas"]["FormTexts"];
            };
            /** @description The texts of the page in other languages: `{"de": {"title": "…", "fields": {"email": {"label": "…"}}}}`. A translation has all texts that the form has. In a change, a language that is given replaces its texts, null removes them, and the others stay. The own language can have a title, a description and a button here. */
            translations?: {
                [key: string]: components["schemas"]["FormTexts"] | null;
            } | null;
        };
        CreateInboxTokenRequest: {
            contact_id: string;
            /**
             * @description How long it is valid.
             * @default 3600
             */
            ttl_seconds?: number;
        };
        CreateListRequest: {
            description?: string | null;
            /** @description Name of the list, also shown in confirmation mails. */
            name: string;
            /**
             * @description `single`: contacts are subscribed when they are added. `double`: they are `pending`, and confirm by email within 72 hours.
             * @default single
             */
            opt_in?: components["schemas"]["OptIn"];
        };
        CreateSegmentRequest: {
            /** @description Name of the segment. */
            name: string;
            rules: components["schemas"]["SegmentRule"];
        };
        CreateSessionRequest: {
            /** @description Of the second factor: what the authenticator app shows, or a recovery code. */
            code?: string;
            email: string;
            password: string;
        };
        CreateTemplateRequest: {
            /** @description What a tap on a push or in-app message opens: an http or https URL, a path, or a link into an app. */
            action_url?: string | null;
            channel: components["schemas"]["Channel"];
            /** @description Sender of an email, or `Name <address>`. The name is Liquid, too, the address is not. Default: the sender of the account. */
            from?: string | null;
            /** @description HTML body of an email. Outputs are escaped; `| raw` writes one as it is. */
            html?: string | null;
            /** @description The text. Required, except in an email with `html` or `mjml`: its text is made of the HTML. */
            message?: string | null;
            /** @description MJML of an email, in place of `html`. It is compiled when the template is saved. */
            mjml?: string | null;
            /** @description Name of the template. */
            name: string;
            /** @description What mail programs show beside the subject of an email, before it is opened. It is hidden at the start of the HTML, and not in the text. */
            preheader?: string | null;
            /** @description Address for replies to an email, as for `from`. */
            reply_to?: string | null;
            /** @description Subject line of an email. */
            subject?: string | null;
            /** @description Title of a push or in-app message. */
            title?: string | null;
            /** @description The same in other languages, by language tag: `{"de": {"subject": "…", "html": "…"}}`. A translation has all texts that the default has. The `locale` of the contact picks: of `pt-BR`, then `pt`, then the default. In a change, a language that is given replaces its translation, null removes it, and the others stay. */
            translations?: {
                [key: string]: components["schemas"]["TemplateTranslationRequest"] | null;
            } | null;
            whatsapp_template?: components["schemas"]["WhatsappTemplate"] | null;
        };
        CreateUserRequest: {
            email: string;
            name?: string | null;
            password: string;
            role: components["schemas"]["Role"];
        };
        CreateViewRequest: {
            /** @description What people call it. */
            name: string;
            /** @description The page that it is of, as your program names it. */
            page: string;
            /** @description The filters, as the query of an URL. */
            query: string;
            /** @description `true`: for all of the account. `false`: for the user who has made it. */
            shared?: boolean;
        };
        CreateWebhookEndpointRequest: {
            description?: string | null;
            /** @description Any of contact.created, contact.updated, contact.unsubscribed, contact.bounced, message.delivered, message.failed, message.received, campaign.sent, form.submitted. Empty: all of them. */
            events?: string[];
            /** @description At most 20 headers that are added to every request. They are stored encrypted and never shown. */
            headers?: {
                [key: string]: string;
            };
            /** @description An absolute URL that is not in a private network. */
            url: string;
        };
        CurrentConsent: {
            actor: components["schemas"]["Actor"];
            cause: components["schemas"]["ConsentCause"];
            channel: components["schemas"]["ConsentChannel"];
            /** @description The contact of the statement: this one, or one that is merged into it. */
            contact_id: string;
            event_id: string;
            lawful_basis: components["schemas"]["LawfulBasis"];
            /** Format: date-time */
            occurred_at: string;
            proof: components["schemas"]["ConsentProof"];
            purpose: string;
            /** Format: date-time */
            recorded_at: string;
            request_id: string;
            /** @description The channel of the statement, or `all`. */
            said_on: components["schemas"]["ConsentChannel"];
            source: string;
            status: components["schemas"]["ConsentStatus"];
        };
        CustomEvent: {
            /** Format: date-time */
            accepted_at: string;
            contact_id: string;
            erased: boolean;
            event: string;
            id: string;
            /** Format: date-time */
            occurred_at: string;
            properties: {
                [key: string]: unknown;
            };
        };
        CustomEventPage: {
            data: components["schemas"]["CustomEvent"][];
            has_more: boolean;
            next_cursor: string | null;
            total?: components["schemas"]["Total"] | null;
        };
        CustomField: {
            /** Format: date-time */
            created_at: string;
            id: string;
            key: string;
            label: string;
            options: string[] | null;
            pii: boolean;
            type: components["schemas"]["CustomFieldType"];
            unique: boolean;
            /** Format: date-time */
            updated_at: string;
            /** @description Only in the response to a write with fields that have no effect: `unknown field: x` for each that does not exist, `fixed field: x` for each that cannot be changed, `ignored field: x` for each that the channel of a message does not have. */
            warnings?: string[];
        };
        CustomFieldPage: {
            data: components["schemas"]["CustomField"][];
            has_more: boolean;
            next_cursor: string | null;
            total?: components["schemas"]["Total"] | null;
        };
        /** @enum {string} */
        CustomFieldType: "string" | "number" | "boolean" | "date" | "datetime" | "string_list" | "json";
        /** @enum {string} */
        DecimalSeparator: "." | ",";
        DeliveryAttempt: {
            /** Format: date-time */
            at: string;
            duration_ms: number;
            error: components["schemas"]["AttemptError"] | null;
            /** Format: date-time */
            next_attempt_at: string | null;
            number: number;
            response_body: string | null;
            status_code: number | null;
            trigger: components["schemas"]["AttemptTrigger"];
        };
        /** @enum {string} */
        DeliveryStatus: "pending" | "delivered" | "failed" | "erased";
        /** @enum {string} */
        DeviceOutcome: "accepted" | "gone" | "failed" | "unknown";
        /** @enum {string} */
        DeviceReport: "delivered" | "clicked" | "dismissed";
        DroppedWork: {
            id: string;
            status: components["schemas"]["DroppedWorkStatus"];
        };
        /** @enum {string} */
        DroppedWorkStatus: "dropped";
        /** @enum {string} */
        DryRunStatus: "dry_run";
        DuplicateCampaignRequest: {
            name?: string;
        };
        EndpointDelivery: {
            attempts: components["schemas"]["DeliveryAttempt"][];
            /** Format: date-time */
            created_at: string;
            endpoint_id: string;
            event: string;
            event_id: string;
            id: string;
            /** Format: date-time */
            next_attempt_at: string | null;
            status: components["schemas"]["EndpointDeliveryStatus"];
        };
        EndpointDeliveryDetail: {
            attempts: components["schemas"]["DeliveryAttempt"][];
            /** Format: date-time */
            created_at: string;
            endpoint_id: string;
            event: string;
            event_id: string;
            id: string;
            /** Format: date-time */
            next_attempt_at: string | null;
            /** @description The exact JSON text of the request, the same for every attempt: the input of the signature. */
            request_body: string;
            status: components["schemas"]["EndpointDeliveryStatus"];
        };
        EndpointDeliveryPage: {
            data: components["schemas"]["EndpointDelivery"][];
            has_more: boolean;
            next_cursor: string | null;
            total?: components["schemas"]["Total"] | null;
        };
        /** @enum {string} */
        EndpointDeliveryStatus: "pending" | "delivered" | "failed" | "stopped";
        /** @enum {string} */
        EndpointManualTrigger: "manual";
        EndpointRedelivery: {
            endpoint_id: string;
            id: string;
            number: number;
            trigger: components["schemas"]["EndpointManualTrigger"];
        };
        Engagement: {
            /** Format: date-time */
            clicked_at: string | null;
            clicks: number;
            /** Format: date-time */
            opened_at: string | null;
            opens: number;
            /** Format: date-time */
            read_at: string | null;
        };
        Enrollment: {
            contact_id: string;
            /** @description The reason of the exit node, or what failed. */
            detail: string | null;
            /**
             * Format: date-time
             * @description When its timer is due.
             */
            due_at: string | null;
            /** Format: date-time */
            exited_at: string | null;
            /** Format: date-time */
            expires_at: string | null;
            /** Format: date-time */
            goal_at: string | null;
            id: string;
            journey_id: string;
            next: components["schemas"]["EnrollmentNext"] | null;
            /** @description Where it is, or what it is about to enter. */
            node: string | null;
            path: components["schemas"]["EnrollmentStep"][];
            /** @description Why it ended. */
            reason: components["schemas"]["EnrollmentExitReason"] | null;
            /** Format: date-time */
            started_at: string;
            status: components["schemas"]["EnrollmentStatus"];
            test: boolean;
            trigger: components["schemas"]["EnrollmentTrigger"];
            /** @description Of the journey, which it follows. */
            version: number;
            /** @description It would have gone on, but its journey is paused. */
            waits_for_resume: boolean;
            /** @description Only in the response to a write with fields that have no effect: `unknown field: x` for each that does not exist, `fixed field: x` for each that cannot be changed, `ignored field: x` for each that the channel of a message does not have. */
            warnings?: string[];
        };
        /** @enum {string} */
        EnrollmentExitReason: "completed" | "exit_rule" | "goal" | "manual" | "stopped" | "contact_deleted" | "merged" | "max_duration" | "node_removed" | "send_failed" | "unreadable_time";
        EnrollmentForecast: {
            /** @description Why it ends; null where it waits for something else. */
            ended: string | null;
            /** Format: date-time */
            ended_at: string | null;
            /** @description From the node in which it is. */
            path: components["schemas"]["JourneyTestStep"][];
        };
        EnrollmentNext: {
            /** Format: date-time */
            at: string | null;
            kind: components["schemas"]["JourneyNodeKind"];
            node: string;
            /** @description In English. */
            waits_for: string;
        };
        EnrollmentRequest: {
            contact?: components["schemas"]["EventContact"];
            contact_id?: string;
            trigger?: components["schemas"]["JourneyTriggerInput"];
        };
        /** @enum {string} */
        EnrollmentStatus: "active" | "exited";
        EnrollmentStep: {
            /** @description The event by which it left, or entered where it is still there. */
            because: string;
            /** Format: date-time */
            due_at: string | null;
            /** Format: date-time */
            entered_at: string;
            /** Format: date-time */
            left_at: string | null;
            message_id: string | null;
            node: string;
            /** @description The exit that was taken (`next`, `branch:<id>`, `else`, `timeout`, `held`), `sent`, `skipped:<reason>` or `exited:<reason>`; null while it is there. */
            outcome: string | null;
        };
        EnrollmentSummary: {
            contact_id: string;
            /**
             * Format: date-time
             * @description When its timer is due.
             */
            due_at: string | null;
            /** Format: date-time */
            exited_at: string | null;
            /** Format: date-time */
            goal_at: string | null;
            id: string;
            journey_id: string;
            /** @description Where it is, or what it is about to enter. */
            node: string | null;
            /** @description Why it ended. */
            reason: components["schemas"]["EnrollmentExitReason"] | null;
            /** Format: date-time */
            started_at: string;
            status: components["schemas"]["EnrollmentStatus"];
            test: boolean;
            trigger: string;
            /** @description Of the journey, which it follows. */
            version: number;
            /** @description It would have gone on, but its journey is paused. */
            waits_for_resume: boolean;
        };
        EnrollmentSummaryPage: {
            data: components["schemas"]["EnrollmentSummary"][];
            has_more: boolean;
            next_cursor: string | null;
            total?: components["schemas"]["Total"] | null;
        };
        EnrollmentTrigger: {
            event_id: string | null;
            name: string | null;
            type: string;
        };
        Erasure: {
            erasure_id: string;
            status: components["schemas"]["ErasureStatus"];
        };
        /** @enum {string} */
        ErasureStatus: "running" | "completed";
        Error: {
            actual?: number;
            allowed?: string[];
            code: components["schemas"]["ErrorCode"];
            current?: string;
            /** @description Equal to `code`, except on 429, where it is `Rate limit exceeded`. */
            error: string;
            expected?: number;
            id?: string;
            limit?: number;
            limit_bytes?: number;
            /** @description For people. May change. */
            message: string;
            received?: number;
            request_id: string;
            required_scope?: string;
            resource?: string;
            /** @description Seconds. */
            retry_after?: number;
            scopes?: string[];
            used_by?: components["schemas"]["ResourceReference"][];
            /** @description Length of the window of a rate limit, in words. */
            window?: string;
        };
        /**
         * @description Stable. New codes may be added.
         * @enum {string}
         */
        ErrorCode: "invalid_json" | "invalid_cursor" | "invalid_parameter" | "unauthorized" | "invalid_credentials" | "second_factor_required" | "token_expired" | "insufficient_scope" | "forbidden" | "not_found" | "method_not_allowed" | "not_acceptable" | "request_timeout" | "conflict" | "invalid_state" | "version_conflict" | "idempotency_in_progress" | "in_use" | "work_required" | "contact_erased" | "payload_too_large" | "unsupported_media_type" | "validation_error" | "unmapped_opt_out" | "too_many_messages" | "unsupported_channel" | "unknown_event_type" | "unknown_field" | "invalid_url" | "recipient_not_found" | "message_too_long" | "idempotency_key_reused" | "rate_limit_exceeded" | "headers_too_large" | "internal_error" | "projection_behind" | "unavailable";
        /** @description The contact. An unknown address or identifier creates it. */
        EventContact: {
            custom_field?: components["schemas"]["ContactIdentifier"];
            email?: string;
            /** @description Id of an existing contact. Cannot be combined with other fields. */
            id?: string;
            /** @description With country prefix. */
            phone?: string;
        };
        ExplainedEnrollment: {
            contact_id: string;
            /** @description The reason of the exit node, or what failed. */
            detail: string | null;
            /**
             * Format: date-time
             * @description When its timer is due.
             */
            due_at: string | null;
            /** Format: date-time */
            exited_at: string | null;
            /** Format: date-time */
            expires_at: string | null;
            /** @description How it goes on if nothing else happens, with the messages. Null where it does not: it has ended, or its journey is not live. */
            forecast: components["schemas"]["EnrollmentForecast"] | null;
            /** Format: date-time */
            goal_at: string | null;
            id: string;
            journey_id: string;
            next: components["schemas"]["EnrollmentNext"] | null;
            /** @description Where it is, or what it is about to enter. */
            node: string | null;
            path: components["schemas"]["EnrollmentStep"][];
            /** @description Why it ended. */
            reason: components["schemas"]["EnrollmentExitReason"] | null;
            /** Format: date-time */
            started_at: string;
            status: components["schemas"]["EnrollmentStatus"];
            test: boolean;
            trigger: components["schemas"]["EnrollmentTrigger"];
            /** @description Of the journey, which it follows. */
            version: number;
            /** @description It would have gone on, but its journey is paused. */
            waits_for_resume: boolean;
        };
        ExplainedSegmentRule: {
            /** @description The rule in English. */
            description: string;
            /** @description Of a leaf: how many events made it so. */
            event_count?: number;
            /** @description Of a leaf: the latest events that made it so, at most 20. */
            events?: components["schemas"]["SegmentEvent"][];
            /** @description Whether it holds for the contact. */
            result: boolean;
            rule?: components["schemas"]["SegmentRule"];
            /** @description The rules below; of another segment, its rule. */
            rules?: components["schemas"]["ExplainedSegmentRule"][];
            type: string;
        };
        ExplanationStep: {
            details: {
                [key: string]: unknown;
            };
            /** @description Id of the event. */
            event: string | null;
            /** Format: date-time */
            occurred_at: string;
            result: string;
            step: components["schemas"]["ExplanationStepKind"];
        };
        /** @enum {string} */
        ExplanationStepKind: "asked" | "gate" | "scheduled" | "hand_over" | "carrier" | "device" | "receipt" | "end";
        ExportContactsRequest: {
            filter?: components["schemas"]["ContactExportFilter"];
            format?: components["schemas"]["ContactExportFormat"];
        };
        ExportedConsent: {
            actor: components["schemas"]["Actor"];
            cause: components["schemas"]["ConsentCause"];
            channel: components["schemas"]["ConsentChannel"];
            /** @description The contact of the statement: this one, or one that is merged into it. */
            contact_id: string;
            event_id: string;
            lawful_basis: components["schemas"]["LawfulBasis"];
            /** Format: date-time */
            occurred_at: string;
            /** @description Position of the event in the log. */
            position: string;
            proof: components["schemas"]["ConsentProof"];
            purpose: string;
            /** Format: date-time */
            recorded_at: string;
            request_id: string;
            /** @description The channel of the statement, or `all`. */
            said_on: components["schemas"]["ConsentChannel"];
            source: string;
            status: components["schemas"]["ConsentStatus"];
        };
        ExportedConsentEntry: {
            actor: components["schemas"]["Actor"];
            cause: components["schemas"]["ConsentCause"];
            channel: components["schemas"]["ConsentChannel"];
            /** @description The contact of the statement: this one, or one that is merged into it. */
            contact_id: string;
            event_id: string;
            hash: string;
            lawful_basis: components["schemas"]["LawfulBasis"];
            /** Format: date-time */
            occurred_at: string;
            /** @description Position of the event in the log. */
            position: string;
            previous_hash: string | null;
            proof: components["schemas"]["ConsentProof"];
            purpose: string;
            /** Format: date-time */
            recorded_at: string;
            request_id: string;
            source: string;
            status: components["schemas"]["ConsentStatus"];
        };
        ExportedContact: {
            email: string | null;
            id: string;
            merged_ids: string[];
            phone: string | null;
        };
        ExportedSuppression: {
            address: components["schemas"]["AddressKind"];
            address_key: string;
            channel: components["schemas"]["SuppressionChannel"];
            /** @description Of the entry of a whole domain, which holds for all its addresses. */
            domain?: string;
            message_id: string | null;
            /** Format: date-time */
            occurred_at: string;
            reason: components["schemas"]["SuppressionReason"];
            /** Format: date-time */
            recorded_at: string;
            scope: components["schemas"]["SuppressionScope"];
            source: string;
            suppression_id: string;
            via: components["schemas"]["SuppressionMethod"] | null;
        };
        ExportFormSubmissionsRequest: {
            /** Format: date-time */
            created_after?: string;
            /** Format: date-time */
            created_before?: string;
        };
        /** @enum {string} */
        FailedStatus: "failed" | "undelivered" | "bounced" | "expired";
        FieldChange: {
            from: unknown;
            to: unknown;
        };
        FieldChanges: {
            [key: string]: components["schemas"]["FieldChange"];
        };
        FieldError: {
            allowed?: string[];
            code: string;
            /** @description Path of the field: `messages[3].to`. */
            field: string;
            limit?: number;
            message: string;
            received?: number;
        };
        /** @enum {string} */
        FieldsMode: "overwrite" | "fill_empty";
        Form: {
            allowed_origins: string[];
            consent: components["schemas"]["FormConsent"] | null;
            /** Format: date-time */
            created_at: string;
            double_opt_in: boolean;
            /** @description The `src` of a script element. */
            embed_url: string;
            fields: components["schemas"]["FormField"][];
            honeypot_field: string | null;
            id: string;
            /** @description In which the form is written. Null: in that of the account, in forms from before they had one. */
            language: components["schemas"]["Language"] | null;
            list_ids: string[];
            min_seconds: number;
            name: string;
            redirect_url: string | null;
            slug: string;
            status: components["schemas"]["FormStatus"];
            success_message: string | null;
            tags: string[];
            /** @description The former name of `translations`. */
            texts: components["schemas"]["FormTranslations"];
            /** @description The texts of the page in other languages. */
            translations: components["schemas"]["FormTranslations"];
            /** Format: date-time */
            updated_at: string;
            /** @description Address of the page, once the form is live. */
            url: string;
            /** @description Number of the version, from 1. A version never changes. */
            version: number;
            /** @description Only in the response to a write with fields that have no effect: `unknown field: x` for each that does not exist, `fixed field: x` for each that cannot be changed, `ignored field: x` for each that the channel of a message does not have. */
            warnings?: string[];
        };
        FormConsent: {
            channels: components["schemas"]["Channel"][];
            required: boolean;
            text: string;
            version: string;
        };
        FormConsentRequest: {
            /** @description The purpose is marketing. */
            channels: components["schemas"]["Channel"][];
            /** @default false */
            required?: boolean;
            /** @description What the person agrees to, as the page shows it. */
            text: string;
            /** @description Your name of this wording. It is part of the proof. */
            version: string;
        };
        FormCounts: {
            confirmed: number;
            dropped: number;
            duplicates: number;
            starts: number;
            submissions: number;
            views: number;
        };
        FormDay: {
            confirmed: number;
            /** Format: date */
            day: string;
            dropped: number;
            duplicates: number;
            starts: number;
            submissions: number;
            views: number;
        };
        FormField: {
            help: string | null;
            key: string;
            label: string;
            maps_to: string | null;
            options: components["schemas"]["FormOption"][] | null;
            required: boolean;
            type: components["schemas"]["FormFieldType"];
            value: string | null;
        };
        FormFieldRequest: {
            /** @description A line below the label. */
            help?: string | null;
            /** @description Name of the value in a submission. */
            key: string;
            /** @description Required, except of hidden fields and of the consent. */
            label?: string;
            /** @description The field of the contact that takes the value: `email`, `phone`, `first_name`, `custom_fields.plan`. */
            maps_to?: string | null;
            /** @description Of `select` and `multi_select`. */
            options?: (string | components["schemas"]["FormOptionRequest"])[] | null;
            /** @default false */
            required?: boolean;
            /** @description `consent` is the place of the box of the consent; its key is `consent`. */
            type: components["schemas"]["FormFieldType"];
            /** @description What a hidden field holds. */
            value?: string | null;
        };
        FormFieldTexts: {
            help?: string;
            label?: string;
            options?: {
                [key: string]: string;
            };
        };
        /** @enum {string} */
        FormFieldType: "text" | "email" | "phone" | "number" | "date" | "select" | "multi_select" | "checkbox" | "textarea" | "hidden" | "consent";
        FormOption: {
            label: string;
            value: string;
        };
        FormOptionRequest: {
            /** @description What the page shows. Default: the value. */
            label?: string;
            /** @description What a submission holds. */
            value: string;
        };
        FormStats: {
            days: components["schemas"]["FormDay"][];
            /** Format: date */
            from: string;
            /** Format: date */
            to: string;
            total: components["schemas"]["FormCounts"];
        };
        /** @enum {string} */
        FormStatus: "draft" | "live" | "archived";
        FormSubmission: {
            /** Format: date-time */
            confirmed_at: string | null;
            /** @description Whether the box was ticked; null if the form had none. */
            consent: boolean | null;
            contact_created: boolean;
            /** @description The contact of the submission; it may be merged since. */
            contact_id: string;
            /** Format: date-time */
            created_at: string;
            /** @description A submission with the same fields less than a minute before. */
            duplicate_of: string | null;
            erased: boolean;
            /** @description By the key of the field. Empty once the contact is erased. */
            fields: {
                [key: string]: unknown;
            };
            form_id: string;
            /** @description Number of the version, from 1. A version never changes. */
            form_version: number;
            id: string;
            ip: string | null;
            language: string;
            /** @description The names of what the contact did not take: nobody knows who sent it. `fields` has the values. */
            not_applied?: string[];
            page: string | null;
            status: components["schemas"]["FormSubmissionStatus"];
            user_agent: string | null;
        };
        FormSubmissionPage: {
            data: components["schemas"]["FormSubmission"][];
            has_more: boolean;
            next_cursor: string | null;
            total?: components["schemas"]["Total"] | null;
        };
        FormSubmissionRequest: {
            /** @description The box of the consent is ticked. */
            consent?: boolean;
            /** @description Values by the key of the field. Unknown keys are ignored. */
            fields?: {
                [key: string]: unknown;
            };
            /** @description In which the texts were shown, numbers and dates were written (`4,5`), and the answer is. That of the consent is its proof. Default: the answer is in that of `Accept-Language`, or English; the texts are those of the form itself. */
            language?: components["schemas"]["Language"];
            /** @description URL of the page that the form was on. Default: the `Referer`. */
            page?: string;
            /** @description From the page of the form. It says when and in which version the page was shown. */
            token?: string;
            view?: components["schemas"]["FormView"];
        };
        /** @enum {string} */
        FormSubmissionStatus: "accepted" | "pending_confirmation" | "confirmed";
        FormSubmittedData: {
            contact: components["schemas"]["Contact"] | null;
            contact_created: boolean;
            form: components["schemas"]["SubmittedForm"];
            submission: components["schemas"]["WebhookFormSubmission"];
        };
        FormSubmittedWebhook: {
            account_id: string;
            data: components["schemas"]["FormSubmittedData"];
            /** @constant */
            event: "form.submitted";
            event_id: string;
            /** Format: date-time */
            occurred_at: string;
            /** @description True of what a test key caused. */
            test?: boolean;
        };
        FormSummary: {
            /** Format: date-time */
            created_at: string;
            id: string;
            name: string;
            slug: string;
            status: components["schemas"]["FormStatus"];
            /** Format: date-time */
            updated_at: string;
            /** @description Number of the version, from 1. A version never changes. */
            version: number;
        };
        FormSummaryPage: {
            data: components["schemas"]["FormSummary"][];
            has_more: boolean;
            next_cursor: string | null;
            total?: components["schemas"]["Total"] | null;
        };
        FormTexts: {
            button?: string;
            consent?: string;
            description?: string;
            fields?: {
                [key: string]: components["schemas"]["FormFieldTexts"];
            };
            success_message?: string;
            title?: string;
        };
        FormTranslations: {
            de?: components["schemas"]["FormTexts"];
            en?: components["schemas"]["FormTexts"];
            es?: components["schemas"]["FormTexts"];
            fr?: components["schemas"]["FormTexts"];
            pl?: components["schemas"]["FormTexts"];
        };
        FormVersion: {
            /** Format: date-time */
            created_at: string;
            name: string;
            status: components["schemas"]["FormStatus"];
            /** @description Number of the version, from 1. A version never changes. */
            version: number;
        };
        FormVersionPage: {
            data: components["schemas"]["FormVersion"][];
            has_more: boolean;
            next_cursor: string | null;
            total?: components["schemas"]["Total"] | null;
        };
        /** @enum {string} */
        FormView: "page" | "frame" | "embed";
        FrequencyCap: {
            channel: components["schemas"]["FrequencyCapChannel"];
            max: number;
            per: string;
        };
        /** @enum {string} */
        FrequencyCapChannel: "any" | "sms" | "email" | "whatsapp" | "rcs" | "push" | "in_app";
        GetOpenApiDocumentResult: {
            [key: string]: unknown;
        };
        IdentitySecret: {
            secret?: string;
            set: boolean;
        };
        IdentitySecretRotation: {
            /** @constant */
            rotate: true;
        };
        IdentitySettings: {
            on_conflict: components["schemas"]["OnConflict"];
        };
        IdentitySettingsPatch: {
            on_conflict?: components["schemas"]["OnConflict"];
        };
        /** @enum {string} */
        IdentityVerification: "off" | "existing" | "required";
        IdentityWarning: {
            code: components["schemas"]["IdentityWarningCode"];
            /** @description The contact that has it. */
            contact_id: string;
            /** @description Of `matched_by_phone`: the email that the contact has among `other_emails` now. */
            email?: string | null;
            /** @description What belongs to the other contact. */
            field: string;
            message: string;
            /** @description Of `matched_by_phone`: the names of what the contact did not take. */
            not_applied?: string[];
            /** @description The row of an import, from 1. */
            row?: number;
        };
        /** @enum {string} */
        IdentityWarningCode: "matched_by_phone" | "email_kept_by" | "phone_kept_by" | "identifier_kept_by";
        ImportContactsRequest: {
            /**
             * @description They have confirmed elsewhere, as `proof` says: they are subscribed at once, also to a list with double opt-in, and their consent to marketing email is recorded with the proof. Nobody is asked by mail. Who has left a list stays off it.
             * @default false
             */
            confirmed?: boolean;
            consent?: components["schemas"]["ConsentInput"];
            /** @description Each as in `POST /v1/contacts`. Rows are validated separately: an invalid one does not affect the others. */
            contacts?: components["schemas"]["ImportedContact"][];
            /** @description Only with a file: the country of phone numbers without a prefix, as ISO 3166 has it: `DE`. */
            country?: string;
            /** @description Only with a file: how dates are written, for all columns or by the name of the column: `DD.MM.YYYY`, `MM/DD/YYYY`, `unix`. By default the cells of each column decide. `2026-01-31` is read in any case. */
            date_format?: string | {
                [key: string]: string;
            };
            /** @description Only with a file: what separates a number from its fraction. By default the cells of each column decide. */
            decimal?: components["schemas"]["DecimalSeparator"];
            /** @description Only with a file. Default: the one of comma, semicolon, tab and bar that fits. */
            delimiter?: string;
            /** @description Validates and counts without writing. */
            dry_run?: boolean;
            /** @description Only with a file: its encoding, such as `windows-1252` or `shift_jis`. By default its byte order mark decides; a file without one is UTF-8, or else Windows-1252, which `warnings` says. */
            encoding?: string;
            fields_mode?: components["schemas"]["FieldsMode"];
            /** @description Only in a form: the CSV. Its first row has the column names. */
            file?: string;
            /** @description Names of columns to leave out, as `null` in `mapping` does. */
            ignore_columns?: string[];
            list_ids?: string[];
            /** @description By the name of a column: what it fills or says, or null for a column to ignore. `email`, `tags`, `custom_fields.plan`; `consent.<channel>` and `suppression.<channel>`, whose cells are yes or no, or words such as `subscribed`, `unsubscribed` and `bounced`; `lists.<id or name>`. Other columns are recognized by their names, also those of the exports of other services; what these say of consent only lowers, and never grants. */
            mapping?: {
                [key: string]: string | null;
            };
            on_conflict?: components["schemas"]["OnConflict"];
            /** @description Only with `confirmed`: how you know. For example `{"text":"Double opt-in at the shop, 2023-05-01"}`. */
            proof?: string | components["schemas"]["ConsentProofInput"];
            /**
             * @description Journeys start as if each contact had been changed by itself: by `contact_created`, `list_added`, `segment_entered` and `segment_left`. By default an import starts none, but those whose trigger has `include_existing`.
             * @default false
             */
            start_journeys?: boolean;
            /**
             * @description Only with a file: a row with any wrong cell is an error. By default wrong cells are left out, and counted in `warnings`, if another field identifies the contact.
             * @default false
             */
            strict?: boolean;
        };
        ImportedContact: {
            /** @description Values by the key of the field. Those of fields without `pii` are not encrypted: do not put personal data into them. */
            custom_fields?: {
                [key: string]: unknown;
            };
            email?: string | null;
            /** @description Given name. */
            first_name?: string | null;
            /** @description Family name. */
            last_name?: string | null;
            /** @description BCP 47, `en-GB`. */
            locale?: string | null;
            /** @description Further email addresses. They are added; a PATCH makes them the only ones. */
            other_emails?: string[] | null;
            /** @description Further phone numbers. They are added; a PATCH makes them the only ones. */
            other_phones?: string[] | null;
            /** @description With country prefix. */
            phone?: string | null;
            /** @description Labels to find contacts by. Not encrypted: do not put personal data into them. */
            tags?: string[];
            /** @description IANA name, `Europe/Paris`. */
            timezone?: string | null;
        };
        ImportedSuppression: {
            /** @description `all`: every channel, including future ones. */
            channel?: components["schemas"]["SuppressionChannel"];
            /** @description Domain of email addresses: `example.com` or `*@example.com`. All its addresses are suppressed, and those of subdomains are not. */
            domain?: string;
            /** @description Email address. */
            email?: string;
            /**
             * Format: date-time
             * @description Time of the person’s request. Default: now.
             */
            occurred_at?: string;
            /** @description Phone number with country prefix. */
            phone?: string;
            reason?: components["schemas"]["SuppressionReason"];
            /** @description `all`: every message. `marketing`: messages of the category `marketing` only. */
            scope?: components["schemas"]["SuppressionScope"];
            /** @description Source of the information, in your own words. */
            source?: string;
        };
        ImportRowError: {
            allowed?: string[];
            code: string;
            /** @description Empty for an error of the whole row. */
            field: string;
            limit?: number;
            message: string;
            received?: number;
            /** @description From 1, without the header row. */
            row: number;
        };
        ImportRowErrorPage: {
            data: components["schemas"]["ImportRowError"][];
            has_more: boolean;
            next_cursor: string | null;
            total?: components["schemas"]["Total"] | null;
        };
        ImportSuppressionsRequest: {
            /** @description `all`: every channel, including future ones. */
            channel?: components["schemas"]["SuppressionChannel"];
            /** @description Validates and counts without writing. */
            dry_run?: boolean;
            /** @description Email addresses. The other fields are defaults for all entries. */
            emails?: unknown[];
            /** @description Each with `email`, `phone` or both, or with the `domain` of emails, and optionally `channel`, `reason`, `scope`, `source`, `occurred_at` instead of the defaults. */
            entries?: components["schemas"]["ImportedSuppression"][];
            /**
             * Format: date-time
             * @description Time of the person’s request. Default: now.
             */
            occurred_at?: string;
            /** @description Phone numbers. The other fields are defaults for all entries. */
            phones?: unknown[];
            reason?: components["schemas"]["SuppressionReason"];
            /** @description `all`: every message. `marketing`: messages of the category `marketing` only. */
            scope?: components["schemas"]["SuppressionScope"];
            /** @description Source of the information, in your own words. */
            source?: string;
        };
        InboundMessage: {
            duplicate: boolean;
            id: string;
            keyword: components["schemas"]["KeywordKind"] | null;
            /** @description Only in the response to a write with fields that have no effect: `unknown field: x` for each that does not exist, `fixed field: x` for each that cannot be changed, `ignored field: x` for each that the channel of a message does not have. */
            warnings?: string[];
        };
        InboxCounts: {
            unread: number;
            unseen: number;
        };
        InboxEvent: {
            /** @description JSON: an inbox message, or its counts. */
            data: string;
            event: components["schemas"]["InboxEventType"];
            /** @description The position, for `Last-Event-ID`. Missing while the account has no events. */
            id?: string;
        };
        /** @enum {string} */
        InboxEventType: "message" | "update" | "counts";
        /** @enum {string} */
        InboxFilter: "all" | "unseen" | "unread" | "archived";
        InboxMarkedAll: {
            changed: number;
            unread: number;
            unseen: number;
        };
        InboxMessage: {
            action_url: string | null;
            /** Format: date-time */
            archived_at: string | null;
            /**
             * Format: date-time
             * @description Time of the first click.
             */
            clicked_at: string | null;
            /** Format: date-time */
            created_at: string;
            data: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: date-time
             * @description From then on it is shown and counted nowhere.
             */
            expires_at: string | null;
            id: string;
            message: string;
            /** @description The message that was sent. */
            message_id: string;
            /** Format: date-time */
            read_at: string | null;
            /**
             * Format: date-time
             * @description When the contact saw it in a list. What is read is seen.
             */
            seen_at: string | null;
            title: string | null;
        };
        InboxMessagePage: {
            data: components["schemas"]["InboxMessage"][];
            has_more: boolean;
            next_cursor: string | null;
            total?: components["schemas"]["Total"] | null;
        };
        InboxToken: {
            contact_id: string;
            /** Format: date-time */
            expires_at: string;
            /** @description Seconds. */
            expires_in: number;
            token: string;
            /** @description Only in the response to a write with fields that have no effect: `unknown field: x` for each that does not exist, `fixed field: x` for each that cannot be changed, `ignored field: x` for each that the channel of a message does not have. */
            warnings?: string[];
        };
        /** @enum {string} */
        IncomingMailKind: "receipt" | "email" | "unclaimed" | "none";
        IncomingMailResult: {
            /** @description True where an unclaimed mail is kept for the operator. */
            kept?: boolean;
            message_id: string | null;
            /** @description Recipients that were left out: the report named more than a message can have. */
            recipients_cut?: number;
            result: components["schemas"]["IncomingMailKind"];
            /** @description Only in the response to a write with fields that have no effect: `unknown field: x` for each that does not exist, `fixed field: x` for each that cannot be changed, `ignored field: x` for each that the channel of a message does not have. */
            warnings?: string[];
        };
        InvitedUser: {
            email: string;
            /** Format: date-time */
            expires_at: string;
            id: string;
            message_id: string | null;
            role: components["schemas"]["Role"];
            /** @description Only in the response to a write with fields that have no effect: `unknown field: x` for each that does not exist, `fixed field: x` for each that cannot be changed, `ignored field: x` for each that the channel of a message does not have. */
            warnings?: string[];
        };
        InviteUserRequest: {
            email: string;
            role: components["schemas"]["Role"];
        };
        IssuedApiKey: {
            /** Format: date-time */
            created_at: string;
            id: string;
            key: string;
            /** Format: date-time */
            last_used_at: string | null;
            mode: components["schemas"]["ApiKeyMode"];
            name: string;
            prefix: string;
            scopes: components["schemas"]["Scope"][] | null;
            strict: boolean;
            /** @description Only in the response to a write with fields that have no effect: `unknown field: x` for each that does not exist, `fixed field: x` for each that cannot be changed, `ignored field: x` for each that the channel of a message does not have. */
            warnings?: string[];
        };
        ItemError: {
            allowed?: string[];
            code: string;
            field: string;
            index: number;
            limit?: number;
            message: string;
            received?: number;
        };
        Job: {
            /** Format: date-time */
            created_at: string;
            /** @description Processed items. */
            done: number;
            /** @description Number of errors; `GET /v1/jobs/:id/errors` lists them. */
            errors: number;
            /** Format: date-time */
            finished_at: string | null;
            id: string;
            /** @description `contact_import`, `contact_export` … */
            kind: string;
            /** @description Null before the end. Counts by the kind of job; `reason` of a failed one; `available_until` where `GET /v1/jobs/:id/result` has a result. */
            result: {
                [key: string]: unknown;
            } | null;
            status: components["schemas"]["JobStatus"];
            /** @description All items; null if their number is not known before the end. */
            total: number | null;
            /** @description Of the dry run of an import: rows whose addresses belong to others. Up to 1,000. */
            warnings?: components["schemas"]["IdentityWarning"][];
        };
        JobError: {
            code: string;
            field: string;
            message: string;
            row: number;
        };
        JobErrorPage: {
            data: components["schemas"]["JobError"][];
            has_more: boolean;
            next_cursor: string | null;
            total?: components["schemas"]["Total"] | null;
        };
        JobPage: {
            data: components["schemas"]["Job"][];
            has_more: boolean;
            next_cursor: string | null;
            total?: components["schemas"]["Total"] | null;
        };
        /** @enum {string} */
        JobStatus: "queued" | "running" | "canceling" | "completed" | "canceled" | "failed";
        Journey: {
            /** Format: date-time */
            created_at: string;
            /** @description What each node does, in an English sentence, by its id. */
            descriptions: {
                [key: string]: string;
            };
            /** @description The version that the draft becomes; null where nothing is changed since the last publication. */
            draft_version: number | null;
            id: string;
            name: string;
            /** @description The nodes, with their defaults. Headers of webhooks are not shown. */
            nodes: components["schemas"]["JourneyNode"][];
            /** Format: date-time */
            published_at: string | null;
            /** @description The version that contacts enter with. */
            published_version: number | null;
            settings: components["schemas"]["JourneySettings"];
            /** @description The id of the trigger. */
            start: string;
            /** @description Contacts enter a `live` journey only. In one that is `paused` they stay where they are; from one that is `stopped` or `archived` all have left. */
            status: components["schemas"]["JourneyStatus"];
            /** Format: date-time */
            updated_at: string;
            /** @description Number of changes of the journey, for `If-Match`. */
            version: number;
            /** @description When it is stored: variables of its contents that nobody has, with the nearest known name, and divisions whose result is another one than before. */
            warnings?: string[];
        };
        JourneyApiTrigger: {
            /** @constant */
            type: "api";
        };
        JourneyBranch: {
            branches: components["schemas"]["JourneyRuleBranch"][];
            /** @description Where no rule holds. The first one that holds decides. */
            else: string | null;
            id: string;
            /** @constant */
            kind: "branch";
            /** @constant */
            mode: "rule";
            /** @description What people call it, in graphs and explanations. */
            name?: string;
        };
        /** @enum {string} */
        JourneyCapPolicy: "skip" | "wait";
        JourneyChange: {
            /** @description Name of the journey. */
            name?: string;
            /** @description The nodes, in any order. Exactly one is the trigger; `next: null` ends the journey. There are no circles. */
            nodes?: components["schemas"]["JourneyNode"][];
            settings?: components["schemas"]["JourneySettings"];
            /** @description The id of the trigger. It can be left out. */
            start?: string;
        };
        JourneyChangedEdge: {
            after: string | null;
            before: string | null;
            from: string;
            key: string;
        };
        JourneyChangedNode: {
            after: string;
            before: string;
            /** @description Fields that are different. */
            fields: string[];
            id: string;
            kind: string;
        };
        JourneyContactTrigger: {
            /** @constant */
            type: "contact_created";
        };
        /** @enum {string} */
        JourneyContinuation: "continue" | "exit";
        /** @enum {string} */
        JourneyCountFrom: "entry" | "enrollment";
        JourneyDateTrigger: {
            /** @description A field of the contact of type date or datetime. */
            field: string;
            /** @description A duration after that time, or before it: `-P3D`. Default: none. */
            offset?: string;
            /** @default once */
            repeat?: components["schemas"]["JourneyRepetition"];
            /** @description Local time of the contact. Default: the time of a datetime, 09:00 for a date. */
            time?: string;
            /** @constant */
            type: "date";
        };
        JourneyDelay: {
            duration: string;
            id: string;
            /** @constant */
            kind: "delay";
            /** @constant */
            mode: "duration";
            /** @description What people call it, in graphs and explanations. */
            name?: string;
            /** @description The node that comes next; null ends the journey. */
            next: string | null;
        };
        JourneyDelayToBusinessHours: {
            id: string;
            /** @constant */
            kind: "delay";
            /** @constant */
            mode: "business_hours";
            /** @description What people call it, in graphs and explanations. */
            name?: string;
            /** @description The node that comes next; null ends the journey. */
            next: string | null;
            windows: components["schemas"]["JourneyOpenHours"][];
        };
        JourneyDelayToLocalTime: {
            days_of_week?: number[];
            id: string;
            /** @constant */
            kind: "delay";
            /** @constant */
            mode: "local_time";
            /** @description What people call it, in graphs and explanations. */
            name?: string;
            /** @description The node that comes next; null ends the journey. */
            next: string | null;
            time: string;
        };
        JourneyDelayUntil: {
            /**
             * Format: date-time
             * @description Either this or `field`.
             */
            at?: string;
            /** @description A field of the contact of type date or datetime, or a property of the trigger’s event: `properties.starts_at`. A property is a day, a time in ISO 8601 (of the account’s zone if it has none), or a number of Unix in seconds or milliseconds. */
            field?: string;
            id: string;
            /**
             * @description Where that time is over. A field without a value, or with one that is no time, ends the journey: `unreadable_time`.
             * @default continue
             */
            if_past?: components["schemas"]["JourneyContinuation"];
            /** @constant */
            kind: "delay";
            /** @constant */
            mode: "until";
            /** @description What people call it, in graphs and explanations. */
            name?: string;
            /** @description The node that comes next; null ends the journey. */
            next: string | null;
            offset?: string;
        };
        JourneyDifference: {
            edges: components["schemas"]["JourneyEdgeDifference"];
            /** @description Counts the definitions that were published, the first draft being 1. */
            from: number;
            nodes: components["schemas"]["JourneyNodeDifference"];
            /** @description The name and the settings that are different. */
            settings: string[];
            /** @description Counts the definitions that were published, the first draft being 1. */
            to: number;
        };
        JourneyDigest: {
            id: string;
            /** @description Only events with the same value of this property are collected together. */
            key?: string;
            /** @constant */
            kind: "digest";
            /**
             * @description The digest ends when it has so many.
             * @default 100
             */
            max_items?: number;
            /** @description What people call it, in graphs and explanations. */
            name?: string;
            /** @description The node that comes next; null ends the journey. */
            next: string | null;
            /** @description Further events of the trigger are collected for so long. */
            window: string;
        };
        JourneyEdge: {
            from: string;
            /** @description `next`, `else`, `timeout`, `held`, or `branch:` and the id of the branch. */
            key: string;
            to: string | null;
        };
        JourneyEdgeDifference: {
            added: components["schemas"]["JourneyEdge"][];
            changed: components["schemas"]["JourneyChangedEdge"][];
            removed: components["schemas"]["JourneyRemovedEdge"][];
        };
        JourneyEventOccurrence: {
            event: string;
            /** @description A property of the event that must equal the key of the enrollment: only the enrollment of this cart leaves. */
            key?: string;
            /** @constant */
            type: "event";
            where?: components["schemas"]["SegmentEventCondition"][];
        };
        JourneyEventTrigger: {
            event: string;
            /** @constant */
            type: "event";
            where?: components["schemas"]["SegmentEventCondition"][];
        };
        JourneyExit: {
            id: string;
            /** @constant */
            kind: "exit";
            /** @description What people call it, in graphs and explanations. */
            name?: string;
            reason?: string;
        };
        JourneyExplanation: {
            /** @description If its trigger happened now. */
            can_enter: boolean;
            contact_id: string;
            /** @description The latest first. */
            enrollments: components["schemas"]["ExplainedEnrollment"][];
            /** @description In English. */
            explanation: string;
            journey_id: string;
            merged_into: string | null;
            /** @description What happened to the contact and started nothing, though the trigger names it: `before_version`, the version in force was published later; `conditions`, it does not meet those of the trigger; `import` and `rule_change`, which start only journeys that ask for it; `reread`, rules that nobody changed were read anew by a new version of the service. */
            missed: components["schemas"]["JourneyMissedTrigger"][];
            /** @description When its date starts the journey next; null where no date starts it. */
            next_date: components["schemas"]["JourneyNextDate"] | null;
            refusals: components["schemas"]["JourneyRefusal"][];
            /** @description Why it cannot enter now. */
            refused: string | null;
            /** @description What starts the journey, in English; null before it is published. */
            trigger: string | null;
        };
        JourneyFormOccurrence: {
            form_id?: string;
            /** @constant */
            type: "form_submitted";
        };
        JourneyFormTrigger: {
            /** @description Default: any form. */
            form_id?: string;
            /** @constant */
            type: "form_submitted";
        };
        /** @enum {string} */
        JourneyFrequencyCap: "respect" | "ignore";
        /** @enum {string} */
        JourneyGraphFormat: "svg" | "mermaid";
        JourneyHoldout: {
            /**
             * @description Where contacts go that are held out; by default they leave.
             * @default null
             */
            else?: string | null;
            id: string;
            /** @constant */
            kind: "holdout";
            /** @description What people call it, in graphs and explanations. */
            name?: string;
            /** @description The node that comes next; null ends the journey. */
            next: string | null;
            /** @description The share of contacts that is held out. */
            percent: number;
            /** @description Nodes with the same salt hold out the same contacts. Default: each node chooses by itself. */
            salt?: string;
        };
        /** @enum {string} */
        JourneyInFlight: "pinned" | "migrate";
        /** @enum {string} */
        JourneyLatestVersion: "draft" | "published";
        /** @enum {string} */
        JourneyListAction: "add" | "remove";
        JourneyListChange: {
            action: components["schemas"]["JourneyListAction"];
            id: string;
            /** @constant */
            kind: "list";
            list_id: string;
            /** @description What people call it, in graphs and explanations. */
            name?: string;
            /** @description The node that comes next; null ends the journey. */
            next: string | null;
        };
        JourneyListOccurrence: {
            list_id: string;
            /** @constant */
            type: "list_added";
        };
        JourneyListTrigger: {
            list_id: string;
            /** @constant */
            type: "list_added";
        };
        JourneyMessageOccurrence: {
            action: components["schemas"]["SegmentMessageAction"];
            /** @description A send node that comes before. */
            node: string;
            /** @constant */
            type: "message";
        };
        /** @enum {string} */
        JourneyMissedReason: "before_version" | "conditions" | "import" | "late" | "rule_change" | "reread" | "unconfirmed";
        JourneyMissedTrigger: {
            /** Format: date-time */
            at: string;
            event_id: string;
            reason: components["schemas"]["JourneyMissedReason"];
            trigger: string;
        };
        JourneyNextDate: {
            /** Format: date-time */
            due_at: string | null;
            field: string;
            /** @description Why it does not: `no_date`, `date_over`, `journey_inactive`; or, at that time, `filter`, `already_enrolled`, `cooldown`. */
            refused: string | null;
        };
        JourneyNode: components["schemas"]["JourneyDelay"] | components["schemas"]["JourneyDelayUntil"] | components["schemas"]["JourneyDelayToLocalTime"] | components["schemas"]["JourneyDelayToBusinessHours"] | components["schemas"]["JourneyBranch"] | components["schemas"]["JourneyRandomBranch"] | components["schemas"]["JourneyTrigger"] | components["schemas"]["JourneySend"] | components["schemas"]["JourneyWait"] | components["schemas"]["JourneyDigest"] | components["schemas"]["JourneyExit"] | components["schemas"]["JourneyUpdateContact"] | components["schemas"]["JourneyListChange"] | components["schemas"]["JourneyWebhook"] | components["schemas"]["JourneyHoldout"];
        JourneyNodeChange: {
            /** @description What the node does, in English. */
            description: string;
            id: string;
            kind: string;
        };
        JourneyNodeDifference: {
            added: components["schemas"]["JourneyNodeChange"][];
            changed: components["schemas"]["JourneyChangedNode"][];
            removed: components["schemas"]["JourneyRemovedNode"][];
        };
        /** @enum {string} */
        JourneyNodeKind: "trigger" | "delay" | "branch" | "send" | "wait" | "digest" | "exit" | "update_contact" | "list" | "webhook" | "holdout";
        JourneyNodeStats: {
            entered: number;
            left: number;
            sent?: number;
            /** @description Messages that were not sent, by reason. */
            skipped?: {
                [key: string]: number;
            };
            waiting: number;
        };
        JourneyOpenHours: {
            /** @description 1 is Monday. */
            days: number[];
            end: string;
            start: string;
        };
        /** @enum {string} */
        JourneyQuietHours: "account" | "ignore";
        JourneyRandomBranch: {
            branches: components["schemas"]["JourneyWeightedBranch"][];
            id: string;
            /** @constant */
            kind: "branch";
            /** @constant */
            mode: "random";
            /** @description What people call it, in graphs and explanations. */
            name?: string;
        };
        JourneyReentry: {
            /** @description Time since the last start. Required by `cooldown`, possible with the others but `once`. */
            cooldown?: string;
            /** @description Each value of this property has enrollments of its own: `properties.cart_id`. */
            key?: string;
            /**
             * @description Of `always`: enrollments of a contact at a time.
             * @default 10
             */
            max_concurrent?: number;
            /** @description `once`: never again. `after_exit`: when the contact has left. `cooldown`: when that time is over since the last start, and the contact has left. `always`: also while it is in. */
            mode: components["schemas"]["JourneyReentryMode"];
        };
        /** @enum {string} */
        JourneyReentryMode: "once" | "after_exit" | "cooldown" | "always";
        JourneyRefusal: {
            /** Format: date-time */
            at: string;
            event_id: string | null;
            reason: components["schemas"]["JourneyRefusalReason"];
            trigger: string;
        };
        /** @enum {string} */
        JourneyRefusalReason: "already_enrolled" | "cooldown" | "cap" | "filter" | "late" | "journey_inactive" | "contact_gone" | "unconfirmed";
        JourneyRemovedEdge: {
            from: string;
            /** @description `next`, `else`, `timeout`, `held`, or `branch:` and the id of the branch. */
            key: string;
            to: string | null;
        };
        JourneyRemovedNode: {
            /** @description What the node does, in English. */
            description: string;
            id: string;
            kind: string;
        };
        /** @enum {string} */
        JourneyRepetition: "once" | "yearly";
        JourneyRequest: {
            /** @description Name of the journey. */
            name: string;
            /** @description The nodes, in any order. Exactly one is the trigger; `next: null` ends the journey. There are no circles. */
            nodes: components["schemas"]["JourneyNode"][];
            settings?: components["schemas"]["JourneySettings"];
            /** @description The id of the trigger. It can be left out. */
            start?: string;
        };
        JourneyRuleBranch: {
            /** @description Default: its number, from 1. */
            id?: string;
            /** @description What people call it, in graphs and explanations. */
            name?: string;
            /** @description The node that comes next; null ends the journey. */
            next: string | null;
            rule: components["schemas"]["SegmentRule"];
        };
        JourneyScheduleTrigger: {
            /**
             * Format: date-time
             * @description Once, at this time. Either this or `cron`.
             */
            at?: string;
            /** @description Minute, hour, day of the month, month, day of the week, in the time zone of the journey: `0 9 * * 1`. */
            cron?: string;
            /** @description Its contacts start the journey. */
            segment_id: string;
            /** @constant */
            type: "schedule";
        };
        JourneySegmentEnteredOccurrence: {
            segment_id: string;
            /** @constant */
            type: "segment_entered";
        };
        JourneySegmentEnteredTrigger: {
            /**
             * @description Also contacts that a change of the rules or an import moves, and those that are in the segment when the journey is published.
             * @default false
             */
            include_existing?: boolean;
            segment_id: string;
            /** @constant */
            type: "segment_entered";
        };
        JourneySegmentLeftOccurrence: {
            segment_id: string;
            /** @constant */
            type: "segment_left";
        };
        JourneySegmentLeftTrigger: {
            /**
             * @description Also contacts that a change of the rules or an import moves, and those that are in the segment when the journey is published.
             * @default false
             */
            include_existing?: boolean;
            segment_id: string;
            /** @constant */
            type: "segment_left";
        };
        JourneySend: {
            action_url?: string;
            /** @default marketing */
            category?: components["schemas"]["MessageCategory"];
            channel: components["schemas"]["Channel"];
            /** @description Variables of the template: `data.*`. */
            data?: {
                [key: string]: unknown;
            };
            from?: string;
            html?: string;
            id: string;
            /** @constant */
            kind: "send";
            message?: string;
            /** @description What people call it, in graphs and explanations. */
            name?: string;
            /** @description The node that comes next; null ends the journey. */
            next: string | null;
            /**
             * @description What the frequency cap does to the message.
             * @default skip
             */
            on_capped?: components["schemas"]["JourneyCapPolicy"];
            /** @default continue */
            on_failure?: components["schemas"]["JourneyContinuation"];
            /** @description What mail programs show beside the subject of an email; hidden in the HTML. */
            preheader?: string;
            reply_to?: string;
            /** @description Waits for the best hour of the contact within a day: the local hour at which it engages most on the channel, or else that of the account, or else 17:00, outside quiet hours. One in ten is sent at another hour. */
            send_time?: components["schemas"]["JourneySendTime"];
            subject?: string;
            /** @description A template of the channel. Without it the text is in the node. */
            template_id?: string;
            title?: string;
            /** @description The same in other languages, by language tag: `{"de": {"subject": "…", "html": "…"}}`. A translation has all texts that the default has; links and senders may be left out. The `locale` of the contact picks: of `pt-BR`, then `pt`, then the default. */
            translations?: {
                [key: string]: components["schemas"]["ContentTranslation"];
            };
            /** @description The template of a WhatsApp message that the recipient sees, with the values of its variables in Liquid; `message` is what history shows. */
            whatsapp_template?: components["schemas"]["WhatsappTemplate"];
        };
        /** @enum {string} */
        JourneySendTime: "best_hour";
        JourneySettings: {
            /** @description A contact leaves the moment one of these happens. */
            exit_when?: (components["schemas"]["JourneyEventOccurrence"] | components["schemas"]["JourneySegmentEnteredOccurrence"] | components["schemas"]["JourneySegmentLeftOccurrence"] | components["schemas"]["JourneyListOccurrence"] | components["schemas"]["JourneyFormOccurrence"])[];
            /**
             * @description `ignore`: no cap refuses its messages. They count in the caps all the same.
             * @default respect
             */
            frequency_cap?: components["schemas"]["JourneyFrequencyCap"];
            /** @description A contact that reaches it leaves, and is counted. */
            goal?: (components["schemas"]["JourneyEventOccurrence"] | components["schemas"]["JourneySegmentEnteredOccurrence"] | components["schemas"]["JourneySegmentLeftOccurrence"] | components["schemas"]["JourneyListOccurrence"] | components["schemas"]["JourneyFormOccurrence"]) | null;
            /** @description Who is in the journey for so long leaves. */
            max_duration?: string | null;
            /**
             * @description `ignore`: its marketing messages do not wait for the end of quiet hours.
             * @default account
             */
            quiet_hours?: components["schemas"]["JourneyQuietHours"];
            /** @description Default: once. */
            reentry?: components["schemas"]["JourneyReentry"];
            /** @description IANA name, for contacts without a time zone. Default: the zone of the account. */
            timezone_fallback?: string | null;
        };
        JourneySimulation: {
            active: number;
            /** @description Contacts whose history was read. */
            contacts: number;
            /** @description By `<node>/<exit>`. */
            edges: {
                [key: string]: number;
            };
            enrolled: number;
            /** @description By reason. */
            exited: {
                [key: string]: number;
            };
            /** Format: date-time */
            from: string;
            goals: number;
            journey_id: string;
            /** @description By node. */
            nodes: {
                [key: string]: components["schemas"]["JourneyNodeStats"];
            };
            /** @description Starts that were refused, by reason. */
            refused: {
                [key: string]: number;
            };
            /** @description The first enrollments, with their paths. */
            sample: components["schemas"]["SimulatedEnrollment"][];
            /** Format: date-time */
            to: string;
            version: number;
            /** @description Only in the response to a write with fields that have no effect: `unknown field: x` for each that does not exist, `fixed field: x` for each that cannot be changed, `ignored field: x` for each that the channel of a message does not have. */
            warnings?: string[];
        };
        JourneySimulationRequest: {
            /**
             * @description Also where the account has few contacts.
             * @default false
             */
            as_job?: boolean;
            /**
             * Format: date-time
             * @description What happened since then. Default: 30 days before `to`.
             */
            from?: string;
            /**
             * @description Enrollments that are shown with their paths.
             * @default 10
             */
            sample?: number;
            /**
             * Format: date-time
             * @description Default: now.
             */
            to?: string;
            /** @description Default: the draft, or else what is published. */
            version?: number | components["schemas"]["JourneyLatestVersion"];
        };
        JourneyStats: {
            active: number;
            /** @description Goals by starts; null where nobody has started. */
            conversion: number | null;
            /** @description By `<node>/<exit>`. */
            edges: {
                [key: string]: number;
            };
            /** @description By reason. */
            exited: {
                [key: string]: number;
            };
            goals: number;
            /** @description By node. */
            nodes: {
                [key: string]: components["schemas"]["JourneyNodeStats"];
            };
            /** @description Starts that were refused, by reason. */
            refused: {
                [key: string]: number;
            };
            started: number;
        };
        /** @enum {string} */
        JourneyStatus: "draft" | "live" | "paused" | "stopped" | "archived";
        JourneySummary: {
            /** Format: date-time */
            created_at: string;
            /** @description The version that the draft becomes; null where nothing is changed since the last publication. */
            draft_version: number | null;
            id: string;
            name: string;
            node_count: number;
            /** Format: date-time */
            published_at: string | null;
            /** @description The version that contacts enter with. */
            published_version: number | null;
            /** @description Contacts enter a `live` journey only. In one that is `paused` they stay where they are; from one that is `stopped` or `archived` all have left. */
            status: components["schemas"]["JourneyStatus"];
            /** @description The type of the trigger. */
            trigger: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Number of changes of the journey, for `If-Match`. */
            version: number;
        };
        JourneySummaryPage: {
            data: components["schemas"]["JourneySummary"][];
            has_more: boolean;
            next_cursor: string | null;
            total?: components["schemas"]["Total"] | null;
        };
        JourneySupposedEvent: {
            /** @description Since the start: `PT1H`. */
            after: string;
            event: string;
            properties?: {
                [key: string]: unknown;
            };
        };
        JourneyTemplate: {
            /** @description Fields that it reads: bodies of `POST /v1/custom-fields`. */
            custom_fields: components["schemas"]["JourneyTemplateField"][];
            description: string;
            key: string;
            name: string;
        };
        JourneyTemplateBody: {
            name: string;
            nodes: components["schemas"]["JourneyNode"][];
            settings?: components["schemas"]["JourneySettings"];
        };
        JourneyTemplateField: {
            key: string;
            label: string;
            type: components["schemas"]["JourneyTemplateFieldType"];
        };
        /** @enum {string} */
        JourneyTemplateFieldType: "date";
        JourneyTemplateList: {
            data: components["schemas"]["JourneyTemplate"][];
        };
        JourneyTestContact: {
            /** @description Values by the key of the field. Those of fields without `pii` are not encrypted: do not put personal data into them. */
            custom_fields?: {
                [key: string]: unknown;
            };
            email?: string | null;
            /** @description Given name. */
            first_name?: string | null;
            /** @description Family name. */
            last_name?: string | null;
            /** @description BCP 47, `en-GB`. */
            locale?: string | null;
            /** @description Further email addresses. They are added; a PATCH makes them the only ones. */
            other_emails?: string[] | null;
            /** @description Further phone numbers. They are added; a PATCH makes them the only ones. */
            other_phones?: string[] | null;
            /** @description With country prefix. */
            phone?: string | null;
            /** @description Labels to find contacts by. Not encrypted: do not put personal data into them. */
            tags?: string[];
            /** @description IANA name, `Europe/Paris`. */
            timezone?: string | null;
        };
        /** @enum {string} */
        JourneyTestMode: "dry_run" | "live";
        JourneyTestRequest: {
            contact?: components["schemas"]["JourneyTestContact"];
            contact_id?: string;
            /** @description Of a dry run: custom events that would happen. */
            events?: components["schemas"]["JourneySupposedEvent"][];
            /** @description By node: the id of the branch that is taken. */
            force_branches?: {
                [key: string]: string;
            };
            /**
             * @description `live` really sends, whatever the rules of re-entry say.
             * @default dry_run
             */
            mode?: components["schemas"]["JourneyTestMode"];
            /** @description Of `live`: delays and waits end at once. */
            skip_delays?: boolean;
            trigger?: components["schemas"]["JourneyTriggerInput"];
            /** @description Default: the draft, or else what is published. */
            version?: number | components["schemas"]["JourneyLatestVersion"];
        };
        JourneyTestResult: {
            /** @description Why it ended; null where it waits for something that was not supposed. */
            ended: string | null;
            /** Format: date-time */
            ended_at: string | null;
            /** @description Of a live test. */
            enrollment_id: string | null;
            /** @description Whether the filter of the trigger holds; null without one. */
            filter: boolean | null;
            mode: components["schemas"]["JourneyTestMode"];
            /** @description Of a live test: as far as it is now. Read its enrollment for what follows. */
            path: components["schemas"]["JourneyTestStep"][];
            version: number;
            /** @description Only in the response to a write with fields that have no effect: `unknown field: x` for each that does not exist, `fixed field: x` for each that cannot be changed, `ignored field: x` for each that the channel of a message does not have. */
            warnings?: string[];
        };
        JourneyTestStep: {
            /** @description The kind of the node. */
            action: string;
            /**
             * Format: date-time
             * @description When it is entered.
             */
            at: string;
            /** @description The supposed event by which it left: `events[0]`. */
            because?: string;
            /** @description `would_send`, or why not: `suppressed:no_consent`. */
            gate?: string;
            /**
             * Format: date-time
             * @description Null where it waits for something that is not supposed.
             */
            left_at: string | null;
            /** @description Of a live test: the message that was sent. */
            message_id?: string;
            node: string;
            /** @description As in the path of an enrollment. Webhooks are not called: `not_called`. */
            outcome: string | null;
            rendered?: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description The end of a delay or wait, or of the quiet hours for which a message waits.
             */
            until?: string;
        };
        JourneyTrigger: {
            filter?: components["schemas"]["SegmentRule"];
            id: string;
            /** @constant */
            kind: "trigger";
            /** @description What people call it, in graphs and explanations. */
            name?: string;
            /** @description The node that comes next; null ends the journey. */
            next: string | null;
            on: components["schemas"]["JourneyEventTrigger"] | components["schemas"]["JourneySegmentEnteredTrigger"] | components["schemas"]["JourneySegmentLeftTrigger"] | components["schemas"]["JourneyListTrigger"] | components["schemas"]["JourneyContactTrigger"] | components["schemas"]["JourneyFormTrigger"] | components["schemas"]["JourneyDateTrigger"] | components["schemas"]["JourneyScheduleTrigger"] | components["schemas"]["JourneyApiTrigger"];
        };
        JourneyTriggerInput: {
            /** @description What templates and delays read as `event.properties`; at most 32 kB. */
            properties?: {
                [key: string]: unknown;
            };
        };
        JourneyUpdateContact: {
            add_tags?: string[];
            id: string;
            /** @constant */
            kind: "update_contact";
            /** @description What people call it, in graphs and explanations. */
            name?: string;
            /** @description The node that comes next; null ends the journey. */
            next: string | null;
            remove_tags?: string[];
            /** @description Values by field: `first_name`, `custom_fields.plan`, or `plan` for short; null removes. */
            set?: {
                [key: string]: unknown;
            };
        };
        JourneyVersion: {
            /** @description What each node does, in an English sentence, by its id. */
            descriptions: {
                [key: string]: string;
            };
            in_flight: components["schemas"]["JourneyInFlight"] | null;
            name: string;
            /** @description The nodes, with their defaults. Headers of webhooks are not shown. */
            nodes: components["schemas"]["JourneyNode"][];
            /** Format: date-time */
            published_at: string | null;
            settings: components["schemas"]["JourneySettings"];
            /** @description The id of the trigger. */
            start: string;
            status: components["schemas"]["JourneyVersionStatus"];
            /** @description Counts the definitions that were published, the first draft being 1. */
            version: number;
        };
        /** @enum {string} */
        JourneyVersionStatus: "draft" | "published" | "superseded";
        JourneyVersionSummary: {
            in_flight: components["schemas"]["JourneyInFlight"] | null;
            /** Format: date-time */
            published_at: string | null;
            status: components["schemas"]["JourneyVersionStatus"];
            /** @description Counts the definitions that were published, the first draft being 1. */
            version: number;
        };
        JourneyVersionSummaryPage: {
            data: components["schemas"]["JourneyVersionSummary"][];
            has_more: boolean;
            next_cursor: string | null;
            total?: components["schemas"]["Total"] | null;
        };
        JourneyWait: {
            /**
             * @description What happened since then counts: entry of this node or of the journey.
             * @default entry
             */
            count_from?: components["schemas"]["JourneyCountFrom"];
            for: components["schemas"]["JourneyWaitFor"][];
            id: string;
            /** @constant */
            kind: "wait";
            /** @description What people call it, in graphs and explanations. */
            name?: string;
            /** @description The node that comes next; null ends the journey. */
            on_timeout: string | null;
            timeout: string;
        };
        JourneyWaitFor: {
            /** @description Default: its number, from 1. */
            id?: string;
            /** @description What people call it, in graphs and explanations. */
            name?: string;
            /** @description The node that comes next; null ends the journey. */
            next: string | null;
            /** @description What is waited for. Either this or `rule`. */
            on?: components["schemas"]["JourneyEventOccurrence"] | components["schemas"]["JourneySegmentEnteredOccurrence"] | components["schemas"]["JourneySegmentLeftOccurrence"] | components["schemas"]["JourneyListOccurrence"] | components["schemas"]["JourneyFormOccurrence"] | components["schemas"]["JourneyMessageOccurrence"];
            /** @description The wait ends as soon as the rule holds. */
            rule?: components["schemas"]["SegmentRule"];
        };
        JourneyWebhook: {
            /** @description Sent as `data` of the body. */
            data?: {
                [key: string]: unknown;
            };
            /** @description Sent with the request. They are stored encrypted and never shown. */
            headers?: {
                [key: string]: string;
            };
            id: string;
            /** @constant */
            kind: "webhook";
            /** @description What people call it, in graphs and explanations. */
            name?: string;
            /** @description The node that comes next; null ends the journey. */
            next: string | null;
            /** @default continue */
            on_failure?: components["schemas"]["JourneyContinuation"];
            url: string;
        };
        JourneyWeightedBranch: {
            /** @description Default: its number, from 1. */
            id?: string;
            /** @description What people call it, in graphs and explanations. */
            name?: string;
            /** @description The node that comes next; null ends the journey. */
            next: string | null;
            /** @description Percent, with at most two decimals. Their sum is 100. */
            weight: number;
        };
        /** @enum {string} */
        KeywordChannel: "sms" | "whatsapp" | "rcs";
        /** @enum {string} */
        KeywordKind: "stop" | "start" | "yes" | "help";
        /** @enum {string} */
        Language: "en" | "de" | "fr" | "es" | "pl";
        LatestFailure: {
            campaign_id: string | null;
            carrier: string | null;
            channel: components["schemas"]["Channel"];
            contact_id: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            failed_at: string | null;
            id: string;
            journey_id: string | null;
            status: components["schemas"]["FailedStatus"];
            status_reason: components["schemas"]["StatusReason"] | null;
            to: string;
        };
        LatestReply: {
            channel: components["schemas"]["Channel"];
            /** Format: date-time */
            created_at: string;
            from: string;
            from_name: string | null;
            id: string;
            /** @description Your message that it answers, where that is known. */
            message_id: string | null;
            subject: string | null;
            /** @description Its first 300 characters. */
            text: string;
        };
        /** @enum {string} */
        LawfulBasis: "consent" | "contract" | "legal_obligation" | "vital_interests" | "public_task" | "legitimate_interests";
        LiftedSuppression: {
            /** @description `all`: every channel, including future ones. */
            channel: components["schemas"]["SuppressionChannel"];
            id: string;
            lifted: components["schemas"]["SuppressionReason"][];
            /** @description Only in the response to a write with fields that have no effect: `unknown field: x` for each that does not exist, `fixed field: x` for each that cannot be changed, `ignored field: x` for each that the channel of a message does not have. */
            warnings?: string[];
        };
        LiftSuppressionRequest: {
            /** @description The proof that the person wants it: a quotation, a form, a ticket. */
            proof?: string | null;
            /** @description The reason for lifting it. */
            reason: string;
        };
        ListCampaignLinksResult: {
            data: components["schemas"]["CampaignLink"][];
        };
        ListMember: {
            /** @description Only with `include=contact`; null for a contact that is deleted or erased. */
            contact?: components["schemas"]["ListMemberContact"] | null;
            /** @description The contact; merged contacts count once, under the surviving one. */
            contact_id: string;
            /**
             * Format: date-time
             * @description Time of its latest change of status.
             */
            since: string;
            source: string;
            status: components["schemas"]["MembershipStatus"];
        };
        ListMemberContact: {
            email: string | null;
            first_name: string | null;
            last_name: string | null;
            phone: string | null;
        };
        /** @enum {string} */
        ListMemberInclude: "contact";
        ListMemberPage: {
            data: components["schemas"]["ListMember"][];
            has_more: boolean;
            next_cursor: string | null;
            total?: components["schemas"]["Total"] | null;
        };
        ListSendingDomainsResult: {
            data: components["schemas"]["SendingDomain"][];
        };
        /** @enum {string} */
        ManualTrigger: "manual";
        MarketingConsent: {
            email: components["schemas"]["ConsentRule"];
            in_app: components["schemas"]["ConsentRule"];
            push: components["schemas"]["ConsentRule"];
            rcs: components["schemas"]["ConsentRule"];
            sms: components["schemas"]["ConsentRule"];
            whatsapp: components["schemas"]["ConsentRule"];
        };
        MarketingConsentPatch: {
            email?: components["schemas"]["ConsentRule"];
            in_app?: components["schemas"]["ConsentRule"];
            push?: components["schemas"]["ConsentRule"];
            rcs?: components["schemas"]["ConsentRule"];
            sms?: components["schemas"]["ConsentRule"];
            whatsapp?: components["schemas"]["ConsentRule"];
        };
        Me: {
            account: components["schemas"]["CallersAccount"];
            key: components["schemas"]["CallingKey"] | null;
            user: components["schemas"]["CallingUser"] | null;
        };
        MemberCounts: {
            cleaned: number;
            pending: number;
            subscribed: number;
            unsubscribed: number;
        };
        /** @enum {string} */
        MembershipStatus: "unsubscribed" | "cleaned" | "pending" | "subscribed";
        MembershipUnchanged: {
            code: string;
            message: string;
        };
        MergeContactsRequest: {
            source_contact_id: string;
        };
        MergedContact: {
            contact: components["schemas"]["Contact"];
            merge_id: string;
            /** @description Only in the response to a write with fields that have no effect: `unknown field: x` for each that does not exist, `fixed field: x` for each that cannot be changed, `ignored field: x` for each that the channel of a message does not have. */
            warnings?: string[];
        };
        Message: {
            action_url?: string;
            attempts: number;
            batch_id: string | null;
            campaign_id: string | null;
            carrier: components["schemas"]["MessageCarrier"] | null;
            category: components["schemas"]["MessageCategory"];
            channel: components["schemas"]["Channel"];
            contact_id: string | null;
            /** @description The language of the translation that the content was made from; not where it was the default. */
            content_language?: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            delivered_at: string | null;
            encoding: string | null;
            engagement: components["schemas"]["Engagement"];
            enrollment_id: string | null;
            /** Format: date-time */
            failed_at: string | null;
            from: string | null;
            from_name?: string;
            id: string;
            journey_id: string | null;
            /** @description The text. Of an email with HTML alone: what was made of that. */
            message: string;
            /** @description In lists, of a text above 4 kB: `message` is only its start. */
            message_truncated?: boolean;
            metadata: components["schemas"]["Metadata"];
            node_id: string | null;
            reply_to?: string;
            /** Format: date-time */
            scheduled_at: string | null;
            segments: number | null;
            /** Format: date-time */
            sent_at: string | null;
            status: components["schemas"]["MessageStatus"];
            status_reason: components["schemas"]["StatusReason"] | null;
            subject?: string;
            tags: string[];
            template_id: string | null;
            /** @description The version of the template that the content was made from. */
            template_version: number | null;
            /** @description True of a message of a test key: it goes to the sandbox only. */
            test?: boolean;
            title?: string;
            /** @description The address alone. */
            to: string;
            to_name?: string;
            /** @description Which variant of its campaign it is. */
            variant?: string;
            version: number;
            webhook_url: string | null;
            whatsapp_template?: components["schemas"]["WhatsappTemplate"];
        };
        MessageAttachment: {
            bytes: number;
            content_type: string;
            filename: string;
        };
        MessageCarrier: {
            code: string | null;
            message_id: string | null;
            name: string;
        };
        /** @enum {string} */
        MessageCategory: "transactional" | "marketing";
        MessageCounters: {
            bounced: number;
            canceled: number;
            clicked: number;
            complained: number;
            delivered: number;
            failed: number;
            opened: number;
            opened_by_machine: number;
            queued: number;
            replied: number;
            sent: number;
            suppressed: number;
            unsubscribed: number;
        };
        MessageDefaults: {
            /** @description What a tap on a push or in-app message opens: an http or https URL, a path, or a link into an app. */
            action_url?: string;
            /** @description Files of an email, 10 MB together. */
            attachments?: components["schemas"]["Attachment"][];
            /** @description Recipients of an email whom the others do not see. */
            bcc?: string[];
            /** @default transactional */
            category?: components["schemas"]["MessageCategory"];
            /** @description Further recipients of an email, with `bcc` at most 49. One who must not be written to gets no copy. */
            cc?: string[];
            channel?: components["schemas"]["Channel"];
            /** @description The contact this message is for. It must exist. */
            contact_id?: string;
            /** @description Creates a contact for an address that has none, unless `contact_id` names one. */
            create_contact?: boolean;
            /** @description Values of `data.*` in the template. */
            data?: {
                [key: string]: unknown;
            };
            /** @description Sender: a number or a sender name; of an email its address, or `Name <address>`. Default: the sender of the account. */
            from?: string;
            /** @description Further headers of an email: `X-*`, and a few others such as `In-Reply-To`, `References` and `List-Id`. */
            headers?: {
                [key: string]: string;
            };
            /** @description HTML body of an email, beside the text. */
            html?: string;
            /** @description Pictures and files to send along: http or https URLs. */
            media_urls?: string[];
            /** @description The text. Its maximum length depends on the channel. Required, except in an email with `html`: its text is made of the HTML. */
            message?: string;
            metadata?: components["schemas"]["Metadata"];
            push?: components["schemas"]["PushOptions"];
            /** @description Address for replies to an email, or `Name <address>`. */
            reply_to?: string;
            /**
             * Format: date-time
             * @description Time to send. One that passed more than a minute ago is refused.
             */
            send_at?: string;
            /** @description Subject line of an email. */
            subject?: string;
            /** @description Labels to find messages by. Not encrypted: do not put personal data into them. */
            tags?: string[];
            /** @description Template that the content is made from, in the language of the contact where it has a translation to that. Fields of the message come before those of the template. */
            template_id?: string;
            /** @description Title of a push or in-app message. */
            title?: string;
            /** @description Recipient: a phone number with country prefix, an email address, alone or as `Name <address>`, or for `push` and `in_app` also a contact id. */
            to?: string;
            /** @description Seconds after its time until the message expires if it is not handed over. */
            ttl_seconds?: number;
            /** @description The events that are sent to the `webhook_url`. Default: all changes of status, without engagement and deferrals. */
            webhook_events?: components["schemas"]["WebhookEvent"][];
            /** @description Absolute URL that receives a webhook for every change of status of this message. */
            webhook_url?: string;
            /** @description The template of a WhatsApp message that the recipient sees; `message` is what history shows of it. Needed where the recipient has not written within 24 hours: without it the carrier refuses the message then (`status_reason` is `template_required`). */
            whatsapp_template?: components["schemas"]["WhatsappTemplate"];
        };
        MessageDeliveredData: {
            code: string | null;
            message: components["schemas"]["MessageWithoutTexts"];
            reason: string | null;
        };
        MessageDeliveredWebhook: {
            account_id: string;
            data: components["schemas"]["MessageDeliveredData"];
            /** @constant */
            event: "message.delivered";
            event_id: string;
            /** Format: date-time */
            occurred_at: string;
            /** @description True of what a test key caused. */
            test?: boolean;
        };
        MessageDevice: {
            carrier: string;
            carrier_message_id: string | null;
            /** Format: date-time */
            clicked_at: string | null;
            code: string | null;
            /** Format: date-time */
            delivered_at: string | null;
            /** Format: date-time */
            dismissed_at: string | null;
            outcome: components["schemas"]["DeviceOutcome"];
            platform: components["schemas"]["PushPlatform"];
            subscription_id: string;
        };
        MessageEvent: {
            /** @description Fields of the event. `raw` is the receipt of the carrier. */
            data: {
                [key: string]: unknown;
            };
            id: string;
            /** Format: date-time */
            occurred_at: string;
            sequence: number;
            status: components["schemas"]["MessageStatus"];
            /** @description Type of the event, in the past tense: `MessageSent`. */
            type: string;
        };
        MessageEventPage: {
            data: components["schemas"]["MessageEvent"][];
            has_more: boolean;
            next_cursor: string | null;
            total?: components["schemas"]["Total"] | null;
        };
        MessageExplanation: {
            chain: components["schemas"]["ExplanationStep"][];
            message_id: string;
            status: components["schemas"]["MessageStatus"];
            status_reason: components["schemas"]["StatusReason"] | null;
        };
        MessageFailedData: {
            code: string | null;
            message: components["schemas"]["MessageWithoutTexts"];
            reason: string | null;
        };
        MessageFailedWebhook: {
            account_id: string;
            data: components["schemas"]["MessageFailedData"];
            /** @constant */
            event: "message.failed";
            event_id: string;
            /** Format: date-time */
            occurred_at: string;
            /** @description True of what a test key caused. */
            test?: boolean;
        };
        MessagePage: {
            data: components["schemas"]["Message"][];
            has_more: boolean;
            next_cursor: string | null;
            total?: components["schemas"]["Total"] | null;
        };
        MessageReceivedData: {
            attachments: components["schemas"]["ReceivedAttachment"][];
            channel: components["schemas"]["Channel"];
            contact: components["schemas"]["Contact"] | null;
            from: string;
            html: string | null;
            id: string;
            in_reply_to_message_id: string | null;
            media: components["schemas"]["ReceivedMedium"][];
            /** Format: date-time */
            received_at: string;
            subject: string | null;
            text: string | null;
            to: string | null;
        };
        MessageReceivedWebhook: {
            account_id: string;
            data: components["schemas"]["MessageReceivedData"];
            /** @constant */
            event: "message.received";
            event_id: string;
            /** Format: date-time */
            occurred_at: string;
            /** @description True of what a test key caused. */
            test?: boolean;
        };
        MessagesByStatus: {
            bounced: number;
            canceled: number;
            delivered: number;
            expired: number;
            failed: number;
            queued: number;
            scheduled: number;
            sending: number;
            sent: number;
            suppressed: number;
            undelivered: number;
        };
        /** @enum {string} */
        MessageStatus: "scheduled" | "queued" | "sending" | "sent" | "delivered" | "undelivered" | "bounced" | "failed" | "suppressed" | "canceled" | "expired";
        MessageWebhook: {
            batch_id: string | null;
            campaign_id: string | null;
            carrier: components["schemas"]["MessageCarrier"] | null;
            channel: components["schemas"]["Channel"];
            contact_id: string | null;
            error: components["schemas"]["WebhookError"] | null;
            event: components["schemas"]["WebhookEvent"];
            event_id: string;
            journey_id: string | null;
            message_id: string;
            metadata: components["schemas"]["Metadata"];
            /** Format: date-time */
            occurred_at: string;
            previous_status: components["schemas"]["MessageStatus"];
            /** @description Of `message.replied`: an answer by text. */
            reply?: components["schemas"]["ReplyByText"];
            /** @description Number of the event among those of the message. Deliveries may arrive in any order. */
            sequence: number;
            status: components["schemas"]["MessageStatus"];
            status_reason: components["schemas"]["StatusReason"] | null;
            /** @description True of a message of a test key: it goes to the sandbox only. */
            test?: boolean;
            to: string;
        };
        MessageWithContent: {
            action_url?: string;
            /** @description Without their bytes. */
            attachments?: components["schemas"]["MessageAttachment"][];
            attempts: number;
            batch_id: string | null;
            /** @description Each as an address or `Name <address>`, also those who were left out (see `/why`). */
            bcc?: string[];
            campaign_id: string | null;
            carrier: components["schemas"]["MessageCarrier"] | null;
            category: components["schemas"]["MessageCategory"];
            /** @description Each as an address or `Name <address>`, also those who were left out (see `/why`). */
            cc?: string[];
            channel: components["schemas"]["Channel"];
            contact_id: string | null;
            /** @description The language of the translation that the content was made from; not where it was the default. */
            content_language?: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            delivered_at: string | null;
            /** @description Of a push message: what became of it on each device. The status is the best of them. */
            devices?: components["schemas"]["MessageDevice"][];
            encoding: string | null;
            engagement: components["schemas"]["Engagement"];
            enrollment_id: string | null;
            /** Format: date-time */
            failed_at: string | null;
            from: string | null;
            from_name?: string;
            headers?: {
                [key: string]: string;
            };
            html?: string;
            id: string;
            journey_id: string | null;
            media_urls?: string[];
            /** @description The text. Of an email with HTML alone: what was made of that. */
            message: string;
            /** @description In lists, of a text above 4 kB: `message` is only its start. */
            message_truncated?: boolean;
            metadata: components["schemas"]["Metadata"];
            node_id: string | null;
            /** @description What only a push message has, as it was sent. */
            push?: {
                [key: string]: unknown;
            };
            reply_to?: string;
            /** Format: date-time */
            scheduled_at: string | null;
            segments: number | null;
            /** Format: date-time */
            sent_at: string | null;
            status: components["schemas"]["MessageStatus"];
            status_reason: components["schemas"]["StatusReason"] | null;
            subject?: string;
            tags: string[];
            template_id: string | null;
            /** @description The version of the template that the content was made from. */
            template_version: number | null;
            /** @description True of a message of a test key: it goes to the sandbox only. */
            test?: boolean;
            title?: string;
            /** @description The address alone. */
            to: string;
            to_name?: string;
            /** @description Which variant of its campaign it is. */
            variant?: string;
            version: number;
            webhook_url: string | null;
            whatsapp_template?: components["schemas"]["WhatsappTemplate"];
        };
        MessageWithoutTexts: {
            action_url?: string;
            attempts: number;
            batch_id: string | null;
            campaign_id: string | null;
            carrier: components["schemas"]["MessageCarrier"] | null;
            category: components["schemas"]["MessageCategory"];
            channel: components["schemas"]["Channel"];
            contact_id: string | null;
            /** @description The language of the translation that the content was made from; not where it was the default. */
            content_language?: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            delivered_at: string | null;
            encoding: string | null;
            engagement: components["schemas"]["Engagement"];
            enrollment_id: string | null;
            /** Format: date-time */
            failed_at: string | null;
            from: string | null;
            from_name?: string;
            id: string;
            journey_id: string | null;
            metadata: components["schemas"]["Metadata"];
            node_id: string | null;
            reply_to?: string;
            /** Format: date-time */
            scheduled_at: string | null;
            segments: number | null;
            /** Format: date-time */
            sent_at: string | null;
            status: components["schemas"]["MessageStatus"];
            status_reason: components["schemas"]["StatusReason"] | null;
            tags: string[];
            template_id: string | null;
            /** @description The version of the template that the content was made from. */
            template_version: number | null;
            /** @description True of a message of a test key: it goes to the sandbox only. */
            test?: boolean;
            /** @description The address alone. */
            to: string;
            to_name?: string;
            /** @description Which variant of its campaign it is. */
            variant?: string;
            version: number;
            webhook_url: string | null;
            whatsapp_template?: components["schemas"]["WhatsappTemplate"];
        };
        /** @description Your own keys and values. Responses and webhooks return them. */
        Metadata: {
            [key: string]: string | number | boolean | null;
        };
        /** @enum {string} */
        OnConflict: "merge" | "reject" | "keep_separate";
        OnUnknownOutcome: {
            marketing: components["schemas"]["UnknownOutcomePolicy"];
            transactional: components["schemas"]["UnknownOutcomePolicy"];
        };
        OnUnknownOutcomePatch: {
            marketing?: components["schemas"]["UnknownOutcomePolicy"];
            transactional?: components["schemas"]["UnknownOutcomePolicy"];
        };
        /** @enum {string} */
        OptIn: "single" | "double";
        /** @enum {string} */
        OptOutSource: "unsubscribe_link" | "one_click" | "preference_center" | "stop_keyword" | "api" | "complaint" | "form" | "carrier";
        Overview: {
            latest_failures: components["schemas"]["LatestFailure"][];
            latest_replies: components["schemas"]["LatestReply"][];
            messages: components["schemas"]["OverviewMessages"];
            problems: components["schemas"]["Problem"][];
            sending_now: components["schemas"]["SendingNow"][];
        };
        OverviewMessages: {
            /** @description Of the messages that were accepted in the period, by their status now. */
            by_status: components["schemas"]["MessagesByStatus"];
            /**
             * Format: date-time
             * @description Start of the period, included.
             */
            from: string;
            /** @description The same of the period of this length before it. */
            previous: components["schemas"]["MessagesByStatus"];
            /**
             * Format: date-time
             * @description Its end: that of the hour that is running (UTC).
             */
            to: string;
        };
        OwnCarrier: {
            set: boolean;
            /** Format: date-time */
            updated_at: string;
        };
        ParkedError: {
            class: string;
            code: string | null;
        };
        ParkedWork: {
            about: string;
            account: string;
            attempts: number;
            error: components["schemas"]["ParkedError"];
            /** Format: date-time */
            first_at: string;
            id: string;
            /** Format: date-time */
            parked_at: string;
            process: string;
        };
        ParkedWorkPage: {
            data: components["schemas"]["ParkedWork"][];
            has_more: boolean;
            next_cursor: string | null;
            total?: components["schemas"]["Total"] | null;
        };
        /** @enum {string} */
        Permission: "messages:read" | "messages:read_content" | "messages:send" | "contacts:read" | "contacts:write" | "consent:read" | "consent:write" | "suppressions:read" | "suppressions:write" | "events:read" | "events:write" | "lists:read" | "lists:write" | "segments:read" | "segments:write" | "campaigns:read" | "campaigns:write" | "journeys:read" | "journeys:write" | "templates:read" | "templates:write" | "forms:read" | "forms:write" | "inbox:read" | "inbox:write" | "push:read" | "push:write" | "scores:read" | "scores:write" | "webhooks:read" | "webhooks:write" | "jobs:read" | "jobs:write" | "views:read" | "views:write" | "users:read" | "users:manage" | "keys:read" | "keys:manage" | "settings:read" | "settings:write" | "system:read";
        PingResult: {
            delivered: boolean;
            duration_ms: number;
            error: components["schemas"]["AttemptError"] | null;
            response_body: string | null;
            status_code: number | null;
        };
        /** @enum {string} */
        PlatformEvent: "contact.created" | "contact.updated" | "contact.unsubscribed" | "contact.bounced" | "message.delivered" | "message.failed" | "message.received" | "campaign.sent" | "form.submitted";
        /** @enum {string} */
        PossibleDuplicatesFilter: "true";
        PreparedSecondFactor: {
            recovery_codes: string[];
            secret: string;
            uri: string;
        };
        PreviewColumn: {
            name: string;
            /** @description As in `mapping`: what the column would fill or say. Null: it is left out. */
            proposed: string | null;
            /** @description Why, as a sentence. */
            reason: string;
            samples: string[];
        };
        PreviewContactImportRequest: {
            /**
             * @description They have confirmed elsewhere, as `proof` says: they are subscribed at once, also to a list with double opt-in, and their consent to marketing email is recorded with the proof. Nobody is asked by mail. Who has left a list stays off it.
             * @default false
             */
            confirmed?: boolean;
            consent?: components["schemas"]["ConsentInput"];
            /** @description Each as in `POST /v1/contacts`. Rows are validated separately: an invalid one does not affect the others. */
            contacts?: components["schemas"]["ImportedContact"][];
            /** @description Only with a file: the country of phone numbers without a prefix, as ISO 3166 has it: `DE`. */
            country?: string;
            /** @description Only with a file: how dates are written, for all columns or by the name of the column: `DD.MM.YYYY`, `MM/DD/YYYY`, `unix`. By default the cells of each column decide. `2026-01-31` is read in any case. */
            date_format?: string | {
                [key: string]: string;
            };
            /** @description Only with a file: what separates a number from its fraction. By default the cells of each column decide. */
            decimal?: components["schemas"]["DecimalSeparator"];
            /** @description Only with a file. Default: the one of comma, semicolon, tab and bar that fits. */
            delimiter?: string;
            /** @description Validates and counts without writing. */
            dry_run?: boolean;
            /** @description Only with a file: its encoding, such as `windows-1252` or `shift_jis`. By default its byte order mark decides; a file without one is UTF-8, or else Windows-1252, which `warnings` says. */
            encoding?: string;
            fields_mode?: components["schemas"]["FieldsMode"];
            /** @description Only in a form: the CSV. Its first row has the column names. */
            file?: string;
            /** @description Names of columns to leave out, as `null` in `mapping` does. */
            ignore_columns?: string[];
            list_ids?: string[];
            /** @description By the name of a column: what it fills or says, or null for a column to ignore. `email`, `tags`, `custom_fields.plan`; `consent.<channel>` and `suppression.<channel>`, whose cells are yes or no, or words such as `subscribed`, `unsubscribed` and `bounced`; `lists.<id or name>`. Other columns are recognized by their names, also those of the exports of other services; what these say of consent only lowers, and never grants. */
            mapping?: {
                [key: string]: string | null;
            };
            on_conflict?: components["schemas"]["OnConflict"];
            /** @description Only with `confirmed`: how you know. For example `{"text":"Double opt-in at the shop, 2023-05-01"}`. */
            proof?: string | components["schemas"]["ConsentProofInput"];
            /**
             * @description Journeys start as if each contact had been changed by itself: by `contact_created`, `list_added`, `segment_entered` and `segment_left`. By default an import starts none, but those whose trigger has `include_existing`.
             * @default false
             */
            start_journeys?: boolean;
            /**
             * @description Only with a file: a row with any wrong cell is an error. By default wrong cells are left out, and counted in `warnings`, if another field identifies the contact.
             * @default false
             */
            strict?: boolean;
        };
        PreviewProblem: {
            allowed?: string[];
            code: string;
            field: string;
            limit?: number;
            message: string;
            received?: number;
        };
        PreviewRow: {
            /** @description The contact that the row is about; null of one that does not exist yet. */
            contact_id: string | null;
            errors: components["schemas"]["PreviewProblem"][];
            /** @description From 1, without the header row. */
            row: number;
            warnings: string[];
            would: components["schemas"]["RowPreviewOutcome"];
        };
        PreviewSegmentRequest: {
            rules: components["schemas"]["SegmentRule"];
        };
        Problem: {
            kind: components["schemas"]["ProblemKind"];
            message: string;
            resource: components["schemas"]["ProblemResource"];
            /** @description `error`: something does not happen; `warning`: it is late, or may not happen. */
            severity: components["schemas"]["ProblemSeverity"];
            /**
             * Format: date-time
             * @description Null where nobody knows.
             */
            since: string | null;
        };
        /** @enum {string} */
        ProblemKind: "carrier" | "projection" | "parked" | "endpoint" | "sending_domain";
        ProblemResource: {
            id: string;
            kind: string;
            name: string;
        };
        /** @enum {string} */
        ProblemSeverity: "error" | "warning";
        Projection: {
            /** @description Of the last event in the log. */
            head: string;
            /** @description Age of the oldest event it has not processed. */
            lag_ms: number;
            name: string;
            /** @description Of the last event it has processed; the lowest of its partitions. */
            position: string;
            /** @description Of each partition, where the projection is divided and they differ. */
            positions?: string[];
            /** @description Why it halted. */
            reason: string | null;
            status: components["schemas"]["ProjectionStatus"];
            /** @description Raised when the definition of the projection changes. */
            version: number;
        };
        /** @enum {string} */
        ProjectionStatus: "live" | "rebuilding" | "halted";
        PublishJourneyRequest: {
            /**
             * @description Who is in the journey stays with the version of the start, or goes on with the new one: at the node of the same id, or else at the nearest one after it that is left.
             * @default pinned
             */
            in_flight?: components["schemas"]["JourneyInFlight"];
        };
        PurchaseEvent: {
            currency_property: string;
            event: string;
            value_property: string;
        };
        PurchaseEventPatch: {
            currency_property?: string;
            event?: string;
            value_property?: string;
        };
        PushAction: {
            id: string;
            title: string;
            /** @description Opened by the button; without it the `action_url`. */
            url?: string;
        };
        /** @enum {string} */
        PushEndReason: "unsubscribed" | "gone" | "replaced" | "erased";
        PushKey: {
            public_key: string;
        };
        /** @description Of a push message. */
        PushOptions: {
            /** @description Buttons. Browsers show two. */
            actions?: components["schemas"]["PushAction"][];
            /** @description A later message with the same key takes the place of this one, also on the screen. */
            collapse_key?: string;
            /** @description Your own values for the app, 1 kB of JSON. */
            data?: {
                [key: string]: unknown;
            };
            /** @description URL of a large picture, http or https. */
            image?: string;
            priority?: components["schemas"]["PushPriority"];
        };
        /** @enum {string} */
        PushPlatform: "ios" | "android" | "web";
        /** @enum {string} */
        PushPriority: "normal" | "high";
        PushReport: {
            event: components["schemas"]["DeviceReport"];
            message_id: string;
            /** @description From the push message. */
            token: string;
        };
        PushSubscribed: {
            /** @description Null for an anonymous device. */
            contact_id: string | null;
            id: string;
            status: components["schemas"]["PushSubscriptionStatus"];
            /** @description Why the device is anonymous although the request names a contact. */
            warnings?: string[];
        };
        PushSubscribeRequest: {
            /** @description The public id of the account. */
            account_id: string;
            /** @description Version of the app. */
            app_version?: string | null;
            contact?: components["schemas"]["SubscribedContact"] | null;
            /** @description The proof that the device belongs to the contact, made by your server: hexadecimal HMAC-SHA256 of the email in lower case, or else of the contact id, with the identity secret of the account. */
            contact_hash?: string | null;
            /** @description Your own id of the device: another token of the same device and contact replaces this one, and keeps its proof. Use a random one, such as a UUID, that only the device knows. */
            device_id?: string | null;
            /**
             * Format: language-tag
             * @description BCP 47, `en-GB`.
             */
            locale?: string | null;
            platform: components["schemas"]["PushPlatform"];
            subscription?: components["schemas"]["BrowserPushSubscription"];
            /** @description IANA name, `Europe/Paris`. */
            timezone?: string | null;
            /** @description Registration token of the app, for `ios` and `android`. */
            token?: string;
        };
        PushSubscription: {
            app_version: string | null;
            contact_id: string | null;
            device_id: string | null;
            /** Format: date-time */
            ended_at: string | null;
            ended_reason: components["schemas"]["PushEndReason"] | null;
            id: string;
            locale: string | null;
            platform: components["schemas"]["PushPlatform"];
            status: components["schemas"]["PushSubscriptionStatus"];
            /** Format: date-time */
            subscribed_at: string;
            timezone: string | null;
            /** @description Whether the device has proven that it belongs to the contact. */
            verified: boolean;
        };
        PushSubscriptions: {
            data: components["schemas"]["PushSubscription"][];
        };
        /** @enum {string} */
        PushSubscriptionStatus: "active" | "ended";
        PushUnsubscribed: {
            id: string;
            status: components["schemas"]["PushSubscriptionStatus"];
            /** @description Only in the response to a write with fields that have no effect: `unknown field: x` for each that does not exist, `fixed field: x` for each that cannot be changed, `ignored field: x` for each that the channel of a message does not have. */
            warnings?: string[];
        };
        PushUnsubscribeRequest: {
            /** @description The id that the subscription got. */
            id?: string;
            /** @description Instead of the id: the token of the app, or the endpoint of the browser. */
            token?: string;
        };
        QuietHours: {
            enabled: boolean;
            end: string;
            start: string;
        };
        QuietHoursPatch: {
            enabled?: boolean;
            end?: string;
            start?: string;
        };
        ReceivedAttachment: {
            content_type: string;
            filename: string | null;
            size: number;
        };
        /** @enum {string} */
        ReceivedChannel: "email" | "sms" | "whatsapp" | "rcs";
        ReceivedMedium: {
            content_type: string | null;
            url: string;
        };
        ReceivedMessage: {
            attachments: components["schemas"]["ReceivedAttachment"][];
            /** @description Whether a program wrote the email, such as a note of absence. */
            automatic: boolean;
            carrier: string;
            carrier_message_id: string;
            channel: components["schemas"]["Channel"];
            /** Format: date-time */
            created_at: string;
            /** @description The sender’s number or address; `<erased>` once that person is erased, like all texts. */
            from: string;
            from_name: string | null;
            /** @description Of an email. */
            html: string | null;
            id: string;
            keyword: components["schemas"]["KeywordKind"] | null;
            /** @description Of a text: the files, at the addresses at which the carrier has them. */
            media: components["schemas"]["ReceivedMedium"][];
            /** @description Your message that it replies to, where that is known. */
            message_id: string | null;
            /**
             * Format: date-time
             * @description By the clock of the carrier.
             */
            occurred_at: string;
            subject: string | null;
            text: string;
            /** @description Your number or address that received it. */
            to: string | null;
            /** @description Whether more than 65,536 characters of text or HTML were cut. */
            truncated: boolean;
        };
        ReceivedMessagePage: {
            data: components["schemas"]["ReceivedMessage"][];
            has_more: boolean;
            next_cursor: string | null;
            total?: components["schemas"]["Total"] | null;
        };
        ReceivedWebhooks: {
            channels: components["schemas"]["ReceivedChannel"][];
        };
        ReceivedWebhooksPatch: {
            channels?: components["schemas"]["ReceivedChannel"][];
        };
        ReceiveMailRequest: {
            /** @description The mail as it came, each byte as one character (Latin-1). With `message/rfc822` it is the body itself. */
            mime: string;
        };
        RecordedBatchEvent: {
            /** Format: date-time */
            accepted_at: string;
            contact_created: boolean;
            contact_id: string;
            id: string;
            index: number;
            warnings?: (string | components["schemas"]["IdentityWarning"])[];
        };
        RecordedEvent: {
            /** Format: date-time */
            accepted_at: string;
            contact_created: boolean;
            contact_id: string;
            id: string;
            warnings?: (string | components["schemas"]["IdentityWarning"])[];
        };
        RecordedEvents: {
            accepted: number;
            errors: components["schemas"]["ItemError"][];
            /** @description True if there are more than the 1000 problems that are listed. */
            errors_truncated?: boolean;
            events: components["schemas"]["RecordedBatchEvent"][];
            received: number;
            rejected: number;
            /** @description Only in the response to a write with fields that have no effect: `unknown field: x` for each that does not exist, `fixed field: x` for each that cannot be changed, `ignored field: x` for each that the channel of a message does not have. */
            warnings?: string[];
        };
        RecordEventRequest: {
            contact: components["schemas"]["EventContact"];
            /** @description Name of your choice, for example `purchase`. Not encrypted: do not put personal data into it. */
            event: string;
            /** @description Events with the same key are recorded once, in single and batch requests alike. */
            idempotency_key?: string;
            /**
             * Format: date-time
             * @description Default: now. A time in the future counts as now.
             */
            occurred_at?: string;
            /** @description At most 32 kB of JSON. Encrypted with the key of the contact. */
            properties?: {
                [key: string]: unknown;
            };
            /**
             * @description Journeys start although the event is late: by the event, and by the contact that it creates. By default an event that lies further back than `events_start_journeys_within` of the settings (24 hours) starts none, nor does the contact that it creates, nor the segments that the event moves it into.
             * @default false
             */
            start_journeys?: boolean;
        };
        RecordEventsRequest: {
            /** @description 1 to 1000 events, each with the fields of a single one. */
            events: components["schemas"]["RecordEventRequest"][];
            /**
             * @description Journeys start although the event is late: by the event, and by the contact that it creates. By default an event that lies further back than `events_start_journeys_within` of the settings (24 hours) starts none, nor does the contact that it creates, nor the segments that the event moves it into.
             * @default false
             */
            start_journeys?: boolean;
        };
        Redelivery: {
            id: string;
            message_id: string;
            number: number;
            trigger: components["schemas"]["ManualTrigger"];
        };
        ReliabilityBin: {
            n: number;
            observed: number;
            predicted: number;
        };
        RenderedTemplate: {
            action_url: string | null;
            from: string | null;
            html: string | null;
            /** @description The language of the translation that is shown; null for the default. */
            language: string | null;
            message: string | null;
            missing_variables: string[];
            reply_to: string | null;
            subject: string | null;
            title: string | null;
            /** @description Number of the version, from 1. A version never changes. */
            version: number;
            warnings: string[];
            whatsapp_template: components["schemas"]["WhatsappTemplate"] | null;
        };
        RenderTemplateRequest: {
            /** @description The contact whose fields are `contact.*`. */
            contact_id?: string;
            /** @description Values of `data.*`. */
            data?: {
                [key: string]: unknown;
            };
            /**
             * Format: language-tag
             * @description Language tag of the reader, which picks the translation. Default: the `locale` of the contact.
             */
            locale?: string;
            /** @description Further values for a preview, such as `event` or `campaign`, or a `contact` who does not exist. */
            values?: {
                [key: string]: unknown;
            };
            /** @description The version to render. Default: the latest. */
            version?: number;
        };
        ReplayToEndpointRequest: {
            /** @description Any of contact.created, contact.updated, contact.unsubscribed, contact.bounced, message.delivered, message.failed, message.received, campaign.sent, form.submitted. Default: those that the endpoint is subscribed to. */
            events?: string[];
            /**
             * Format: date-time
             * @description Events from this time on. Default: 24 hours before `to`.
             */
            from?: string;
            /** @description Only deliveries that have failed or were stopped, and of which no attempt succeeded. Default: false. */
            only_failed?: boolean;
            /**
             * Format: date-time
             * @description Events before this time. Default, and at the latest: now.
             */
            to?: string;
        };
        ReplyByText: {
            from: string;
            /** Format: date-time */
            received_at: string;
            text: string;
        };
        RequestPasswordResetRequest: {
            email: string;
        };
        ResentConfirmation: {
            contact_id: string;
            list_id: string;
            /**
             * Format: date-time
             * @description From when on; null where it cannot be sent again any more.
             */
            next_at: string | null;
            /** @description How often it can still be sent again. */
            remaining: number;
            /** @description How often it was sent again. */
            resent: number;
            status: components["schemas"]["MembershipStatus"];
        };
        ResetPasswordRequest: {
            password: string;
        };
        ResourceReference: {
            [key: string]: unknown;
        };
        ResubscribeRequest: {
            /** @description The proof that the person wants it: a quotation, a form, a ticket. */
            proof: string;
            /** @description Why the contact is put back. */
            reason: string;
        };
        ResubscribeResult: {
            changed: boolean;
            contact_id: string;
            list_id: string;
            status: components["schemas"]["MembershipStatus"] | null;
            /** @description Why nothing changed, where `changed` is false. */
            unchanged?: components["schemas"]["MembershipUnchanged"];
            /** @description Only in the response to a write with fields that have no effect: `unknown field: x` for each that does not exist, `fixed field: x` for each that cannot be changed, `ignored field: x` for each that the channel of a message does not have. */
            warnings?: string[];
        };
        RetriedWork: {
            id: string;
            status: components["schemas"]["RetriedWorkStatus"];
        };
        /** @enum {string} */
        RetriedWorkStatus: "retried";
        RevertedRows: {
            /** @description Deleted contacts that the import had created. */
            deleted: number;
            /** @description Contacts that were changed by others since. */
            kept: number;
            /** @description Contacts whose former values are restored. */
            restored: number;
            /** @description Contacts that are separate again. */
            unmerged: number;
        };
        /** @enum {string} */
        Role: "owner" | "member" | "analyst";
        RotateWebhookEndpointSecretRequest: {
            /** @description Default: a day. */
            overlap_seconds?: number;
        };
        /** @enum {string} */
        RowPreviewOutcome: "create" | "merge" | "unchanged" | "fail";
        SandboxMessage: {
            /** @description Without their bytes. */
            attachments: components["schemas"]["MessageAttachment"][];
            /** @description Number of the hand-over, from 1. */
            attempt: number;
            bcc: string[];
            cc: string[];
            channel: components["schemas"]["Channel"];
            from: string | null;
            from_name: string | null;
            /** Format: date-time */
            handed_over_at: string;
            headers: {
                [key: string]: string;
            };
            html: string | null;
            /** @description Web addresses in the HTML and in the text, such as that of unsubscribing. */
            links: string[];
            message_id: string;
            reply_to: string | null;
            subject: string | null;
            /** @description True of a message of a test key: it goes to the sandbox only. */
            test?: boolean;
            text: string;
            to: string;
            to_name: string | null;
            whatsapp_template?: components["schemas"]["WhatsappTemplate"];
        };
        SandboxMessagePage: {
            data: components["schemas"]["SandboxMessage"][];
            has_more: boolean;
            next_cursor: string | null;
            total?: components["schemas"]["Total"] | null;
        };
        SavedView: {
            /** Format: date-time */
            created_at: string;
            id: string;
            name: string;
            page: string;
            query: string;
            shared: boolean;
            /** Format: date-time */
            updated_at: string;
            /** @description The user who has made it; null where it was a key. */
            user_id: string | null;
            version: number;
            /** @description Only in the response to a write with fields that have no effect: `unknown field: x` for each that does not exist, `fixed field: x` for each that cannot be changed, `ignored field: x` for each that the channel of a message does not have. */
            warnings?: string[];
        };
        SavedViewPage: {
            data: components["schemas"]["SavedView"][];
            has_more: boolean;
            next_cursor: string | null;
            total?: components["schemas"]["Total"] | null;
        };
        SavePreferencesRequest: {
            /** @description The selected ones. */
            channel?: string | string[];
            /** @description The selected ones. */
            list?: string | string[];
            /** @description The channels that the page offered; others are not changed. */
            shown?: string | string[];
            /** @description The lists that the page offered. */
            shown_list?: string | string[];
        };
        ScheduleCampaignRequest: {
            /**
             * Format: date-time
             * @description Default: that of the campaign’s schedule.
             */
            send_at?: string;
            /**
             * Format: date-time
             * @description Another name of `send_at`.
             */
            start_at?: string;
        };
        /** @enum {string} */
        Scope: "read" | "write";
        /** @enum {string} */
        ScoreBand: "low" | "medium" | "high";
        /** @enum {string} */
        ScoreDirection: "raises" | "lowers" | "neutral";
        ScoreDistribution: {
            /** Format: date-time */
            as_of: string | null;
            /** @description Upper ends of the bands low and medium. */
            bounds: {
                low: number;
                medium: number;
            } | null;
            model_version: number | null;
            name: components["schemas"]["ScoreName"];
            null_reason: components["schemas"]["ScoreNullReason"] | null;
            /** @description The 0th to the 100th; of a date, in days from `as_of`. Empty without values. */
            percentiles: number[];
            with_value: number;
            /** @description Buyers without a value, by reason. */
            without: {
                [key: string]: number;
            };
        };
        ScoreDriver: {
            /** @description What it does to the chance of a purchase, compared with the median buyer. */
            direction: components["schemas"]["ScoreDirection"];
            factor: components["schemas"]["ScoreFactor"];
            text: string;
        };
        ScoreEngagementInputs: {
            /** @description Messages that reached the contact 7 to 180 days ago. */
            delivered: number;
            /** @description Those that it opened, clicked, read or answered itself within 7 days. */
            engaged: number;
        };
        ScoreExplanation: {
            /** @description The share of all buyers for whom it happened in the back-test. */
            baseline: number | null;
            drivers: components["schemas"]["ScoreDriver"][];
            inputs: components["schemas"]["ScoreInputs"] | components["schemas"]["ScoreEngagementInputs"];
            /** @description Probability that the contact still buys at all. It is no score: it ranks worse than the others. */
            p_alive: number | null;
            /** @description How many of a hundred buyers have a lower value. */
            percentile: number | null;
        };
        /** @enum {string} */
        ScoreFactor: "recency" | "frequency" | "age" | "engagement";
        ScoreInputs: {
            /** @description Days since the first purchase. */
            age_days: number;
            /** @description Of the repeat purchases; of all without one. */
            mean_order_value: number | null;
            /** @description Days from the first to the last purchase. */
            t_x_days: number;
            /** @description Repeat purchases: days with a purchase after the first one. */
            x: number;
        };
        ScoreModel: {
            buyers: number;
            currency: string | null;
            data_through: string;
            /** Format: date-time */
            fitted_at: string;
            model: string;
            model_version: number;
            /** @description Purchases of the back-test divided by those it expected, between 0.5 and 2. Expected orders are multiplied by it. */
            order_factor: number;
            parameters: {
                a: number;
                alpha: number;
                b: number;
                r: number;
            } | null;
            repeat_buyers: number;
            spend: {
                n: number;
                p: number;
                q: number;
                v: number;
            } | null;
        };
        /** @enum {string} */
        ScoreName: "purchase_probability_30d" | "purchase_probability_90d" | "churn_probability" | "expected_orders_365d" | "predicted_clv_365d" | "historic_clv" | "expected_next_order_at" | "engagement_sms" | "best_send_hour_sms" | "engagement_email" | "best_send_hour_email" | "engagement_whatsapp" | "best_send_hour_whatsapp" | "engagement_rcs" | "best_send_hour_rcs" | "engagement_push" | "best_send_hour_push" | "engagement_in_app" | "best_send_hour_in_app";
        /** @enum {string} */
        ScoreNullReason: "insufficient_account_data" | "insufficient_contact_data" | "quality_below_gate" | "no_currency" | "stale";
        ScoreOnRecord: {
            /** Format: date-time */
            as_of: string;
            band: string | null;
            value: number;
        };
        ScoreOverview: {
            data: components["schemas"]["AccountScore"][];
            model: components["schemas"]["ScoreModel"] | null;
        };
        ScoreQuality: {
            /** @description How well it ranks: 1 is perfect, 0.5 is chance. Null if all bought, or none. */
            auc: number | null;
            /** @description The same of the baseline: days since the last purchase. */
            auc_recency: number | null;
            /** @description The last of them. */
            backtest_end: string;
            /** @description Mean squared error: 0 is perfect. */
            brier: number;
            /** @description The same of the baseline, calibrated on the window before. */
            brier_recency: number;
            /** @description Days that were held out. */
            days: number;
            /** @description Mean distance between predicted and observed shares. */
            ece: number;
            /** @description Share of the possible lift that the ranking reaches. */
            lift_quality: number | null;
            mean_predicted: number;
            n: number;
            observed: number;
        };
        SecretRotation: {
            overlap_seconds?: number;
            /** @constant */
            rotate: true;
        };
        Segment: {
            /** @description Contacts that are in the segment: while new rules are being built, by those before. */
            count: number;
            /** Format: date-time */
            created_at: string;
            /** @description The rules as an English sentence: contacts who … */
            description: string;
            id: string;
            name: string;
            progress: components["schemas"]["SegmentProgress"] | null;
            rules: components["schemas"]["SegmentRule"];
            /** @description Counts the rules that the segment has had. A change of the name alone does not count. */
            rules_version: number;
            /** @description `building` until every contact is decided by these rules. Until then those before are in force. */
            status: components["schemas"]["SegmentStatus"];
            /** Format: date-time */
            updated_at: string;
            version: number;
            /** @description Only in the response to a write with fields that have no effect: `unknown field: x` for each that does not exist, `fixed field: x` for each that cannot be changed, `ignored field: x` for each that the channel of a message does not have. */
            warnings?: string[];
        };
        /** @enum {string} */
        SegmentAggregateFunction: "sum" | "avg" | "min" | "max" | "distinct_count";
        SegmentAggregateRule: {
            event: string;
            function: components["schemas"]["SegmentAggregateFunction"];
            op: components["schemas"]["SegmentComparison"];
            property: string;
            /** @constant */
            type: "aggregate";
            value: number;
            where?: components["schemas"]["SegmentEventCondition"][];
            window?: components["schemas"]["SegmentWindow"];
        };
        SegmentAllRule: {
            rules: components["schemas"]["SegmentRule"][];
            /** @constant */
            type: "all";
        };
        SegmentAnyRule: {
            rules: components["schemas"]["SegmentRule"][];
            /** @constant */
            type: "any";
        };
        /** @enum {string} */
        SegmentAttributeOperator: "eq" | "neq" | "in" | "not_in" | "gt" | "gte" | "lt" | "lte" | "between" | "contains" | "not_contains" | "starts_with" | "ends_with" | "exists" | "not_exists";
        SegmentAttributeRule: {
            /**
             * @description Whether upper and lower case differ in texts. Addresses, languages and time zones never do.
             * @default false
             */
            case_sensitive?: boolean;
            field: string;
            op: components["schemas"]["SegmentAttributeOperator"];
            /** @constant */
            type: "attribute";
            value?: string | number | boolean | (string | number | boolean)[];
        };
        /** @enum {string} */
        SegmentChange: "entered" | "left";
        /** @enum {string} */
        SegmentChangeCause: "event" | "attribute" | "timer" | "rule_change" | "merge";
        SegmentCircle: {
            latitude: number;
            longitude: number;
            radius_km: number;
        };
        /** @enum {string} */
        SegmentComparison: "gt" | "gte" | "lt" | "lte" | "eq";
        SegmentConsentRule: {
            channel: components["schemas"]["Channel"];
            purpose: string;
            status: components["schemas"]["SegmentConsentStatus"];
            /** @constant */
            type: "consent";
        };
        /** @enum {string} */
        SegmentConsentStatus: "granted" | "withdrawn" | "pending" | "none";
        SegmentContactPage: {
            /** Format: date-time */
            as_of: string | null;
            data: components["schemas"]["Contact"][];
            has_more: boolean;
            next_cursor: string | null;
            /** @description The `rules_version` by which they are members; null if there was no such segment. */
            version: number | null;
        };
        SegmentCount: {
            op: components["schemas"]["SegmentComparison"];
            value: number;
        };
        /** @enum {string} */
        SegmentDateOperator: "before" | "after" | "within_last" | "within_next" | "more_than_ago" | "more_than_from_now" | "anniversary_within_next";
        SegmentDateRule: {
            field: string;
            op: components["schemas"]["SegmentDateOperator"];
            /** @constant */
            type: "date";
            value: string;
        };
        SegmentEvent: {
            id: string;
            /** Format: date-time */
            occurred_at: string;
            type: string;
        };
        SegmentEventCondition: {
            /**
             * @description Whether upper and lower case differ in texts. Addresses, languages and time zones never do.
             * @default false
             */
            case_sensitive?: boolean;
            op: components["schemas"]["SegmentAttributeOperator"];
            property: string;
            value?: string | number | boolean | (string | number | boolean)[];
        };
        SegmentEventRule: {
            count?: components["schemas"]["SegmentCount"];
            event: string;
            /** @constant */
            type: "event";
            where?: components["schemas"]["SegmentEventCondition"][];
            window?: components["schemas"]["SegmentWindow"];
        };
        SegmentEveryoneRule: {
            /** @constant */
            type: "everyone";
        };
        SegmentExplanation: {
            /** Format: date-time */
            as_of: string | null;
            contact_id: string;
            explanation: components["schemas"]["ExplainedSegmentRule"] | null;
            is_member: boolean;
            segment_id: string;
            /** @description The `rules_version` in force; null if there was no such segment then. */
            version: number | null;
        };
        SegmentGeoRule: {
            field: string;
            /** @constant */
            type: "geo";
            within: components["schemas"]["SegmentCircle"];
        };
        SegmentHistory: {
            contact_id: string;
            data: components["schemas"]["SegmentHistoryEntry"][];
            segment_id: string;
        };
        SegmentHistoryEntry: {
            /** Format: date-time */
            at: string;
            cause: components["schemas"]["SegmentChangeCause"];
            change: components["schemas"]["SegmentChange"];
            contact_id: string;
            /** @description The event that caused it; null where time did, or a change of rules. */
            event_id: string | null;
            /** @description The `rules_version` in force. */
            version: number;
        };
        SegmentListRule: {
            is_member: boolean;
            list_id: string;
            /** @constant */
            type: "list";
        };
        /** @enum {string} */
        SegmentMessageAction: "sent" | "delivered" | "opened" | "clicked" | "read" | "seen" | "replied" | "bounced" | "failed" | "complained";
        SegmentMessageRule: {
            action: components["schemas"]["SegmentMessageAction"];
            campaign_id?: string;
            channel?: components["schemas"]["Channel"];
            count?: components["schemas"]["SegmentCount"];
            include_machine?: boolean;
            journey_id?: string;
            node_id?: string;
            template_id?: string;
            /** @constant */
            type: "message";
            window?: components["schemas"]["SegmentWindow"];
        };
        SegmentNotRule: {
            rule: components["schemas"]["SegmentRule"];
            /** @constant */
            type: "not";
        };
        SegmentPage: {
            data: components["schemas"]["Segment"][];
            has_more: boolean;
            next_cursor: string | null;
            total?: components["schemas"]["Total"] | null;
        };
        SegmentPreview: {
            /** @description How many contacts the rules hold for; where `exact` is false, among those examined. */
            count: number;
            /** @description The rules as an English sentence: contacts who … */
            description: string;
            /** @description False if there was no time to examine all contacts. They are examined from the newest on. */
            exact: boolean;
            /** @description Contacts that were examined. Those that an index excludes are not among them. */
            examined: number;
            /** @description Up to ten of them, the newest first. */
            sample: components["schemas"]["Contact"][];
            /** @description Events, properties, fields and values of lists that the rules name and that were never recorded, with the nearest known names; and values that no contact can have, because they are no address, language tag or time zone. */
            warnings: string[];
        };
        SegmentProgress: {
            /** @description The part of what happened before that is read. */
            read: number;
            /** @description `waiting` for another build, `reading` what happened before, or `deciding` all contacts. */
            step: components["schemas"]["SegmentProgressStep"];
        };
        /** @enum {string} */
        SegmentProgressStep: "waiting" | "reading" | "deciding";
        SegmentReachableRule: {
            channel: components["schemas"]["Channel"];
            is: boolean;
            /** @constant */
            type: "reachable";
        };
        SegmentRule: components["schemas"]["SegmentAllRule"] | components["schemas"]["SegmentAnyRule"] | components["schemas"]["SegmentNotRule"] | components["schemas"]["SegmentEveryoneRule"] | components["schemas"]["SegmentAttributeRule"] | components["schemas"]["SegmentDateRule"] | components["schemas"]["SegmentEventRule"] | components["schemas"]["SegmentAggregateRule"] | components["schemas"]["SegmentMessageRule"] | components["schemas"]["SegmentListRule"] | components["schemas"]["SegmentSegmentRule"] | components["schemas"]["SegmentConsentRule"] | components["schemas"]["SegmentReachableRule"] | components["schemas"]["SegmentScoreRule"] | components["schemas"]["SegmentGeoRule"] | components["schemas"]["SegmentSampleRule"];
        SegmentSampleRule: {
            percent: number;
            salt: string;
            /** @constant */
            type: "sample";
        };
        SegmentScoreRule: {
            op: components["schemas"]["SegmentComparison"];
            score: string;
            /** @constant */
            type: "score";
            value: number;
        };
        SegmentSegmentRule: {
            is_member: boolean;
            segment_id: string;
            /** @constant */
            type: "segment";
        };
        /** @enum {string} */
        SegmentStatus: "building" | "live";
        SegmentWindow: components["schemas"]["SegmentWindowLast"] | components["schemas"]["SegmentWindowSince"] | components["schemas"]["SegmentWindowBetween"] | components["schemas"]["SegmentWindowAgo"];
        SegmentWindowAgo: {
            from: string;
            to: string;
        };
        SegmentWindowBetween: {
            between: string[];
        };
        SegmentWindowLast: {
            last: string;
        };
        SegmentWindowSince: {
            /** Format: date-time */
            since: string;
        };
        Senders: {
            email: string | null;
            in_app: string | null;
            push: string | null;
            rcs: string | null;
            sms: string | null;
            whatsapp: string | null;
        };
        SendersPatch: {
            email?: string | null;
            in_app?: string | null;
            push?: string | null;
            rcs?: string | null;
            sms?: string | null;
            whatsapp?: string | null;
        };
        SendingCheck: {
            /** @description The carrier whose mail it is about; null for all. */
            carrier: string | null;
            /** @description What to set, as a whole record. */
            expected: string | null;
            /** @description What the DNS has there. */
            found: string[];
            /** @description What to do, or why nothing can be said. */
            hint: string | null;
            /** @description `spf`: who may send; `dkim`: the key of signatures; `dmarc`: what receivers do with mail that has neither. */
            kind: components["schemas"]["SendingCheckKind"];
            /** @description Name of the record. */
            name: string | null;
            /** @description `unknown` where no name server or carrier has answered, or only the carrier can tell. */
            status: components["schemas"]["SendingCheckStatus"];
            /** @description Of the record; null where no record decides it. */
            type: components["schemas"]["SendingRecordType"] | null;
        };
        /** @enum {string} */
        SendingCheckKind: "spf" | "dkim" | "dmarc";
        /** @enum {string} */
        SendingCheckStatus: "ok" | "missing" | "wrong" | "unknown";
        SendingDomain: {
            /** Format: date-time */
            checked_at: string;
            checks: components["schemas"]["SendingCheck"][];
            domain: string;
            /** @description Whether all checks are `ok`; null where some are `unknown` and none has failed, or there are none. */
            verified: boolean | null;
        };
        /** @enum {string} */
        SendingKind: "campaign" | "bulk";
        SendingNow: {
            channel: components["schemas"]["Channel"] | null;
            /** @description Messages that have left the queue, however they ended. */
            done: number;
            id: string;
            kind: components["schemas"]["SendingKind"];
            name: string | null;
            /** Format: date-time */
            started_at: string;
            /** @description Null while the audience is not known. */
            total: number | null;
        };
        /** @enum {string} */
        SendingRecordType: "TXT" | "CNAME";
        SendMessageRequest: {
            /** @description What a tap on a push or in-app message opens: an http or https URL, a path, or a link into an app. */
            action_url?: string;
            /** @description Files of an email, 10 MB together. */
            attachments?: components["schemas"]["Attachment"][];
            /** @description Recipients of an email whom the others do not see. */
            bcc?: string[];
            /** @default transactional */
            category?: components["schemas"]["MessageCategory"];
            /** @description Further recipients of an email, with `bcc` at most 49. One who must not be written to gets no copy. */
            cc?: string[];
            channel: components["schemas"]["Channel"];
            /** @description The contact this message is for. It must exist. */
            contact_id?: string;
            /** @description Creates a contact for an address that has none, unless `contact_id` names one. */
            create_contact?: boolean;
            /** @description Values of `data.*` in the template. */
            data?: {
                [key: string]: unknown;
            };
            /** @description Check everything, send and record nothing. */
            dry_run?: boolean;
            /** @description Sender: a number or a sender name; of an email its address, or `Name <address>`. Default: the sender of the account. */
            from?: string;
            /** @description Further headers of an email: `X-*`, and a few others such as `In-Reply-To`, `References` and `List-Id`. */
            headers?: {
                [key: string]: string;
            };
            /** @description HTML body of an email, beside the text. */
            html?: string;
            /** @description Identifies this message: a repeated key sends nothing. */
            idempotency_key?: string;
            /** @description Pictures and files to send along: http or https URLs. */
            media_urls?: string[];
            /** @description The text. Its maximum length depends on the channel. Required, except in an email with `html`: its text is made of the HTML. */
            message?: string;
            metadata?: components["schemas"]["Metadata"];
            push?: components["schemas"]["PushOptions"];
            /** @description Address for replies to an email, or `Name <address>`. */
            reply_to?: string;
            /**
             * Format: date-time
             * @description Time to send. One that passed more than a minute ago is refused.
             */
            send_at?: string;
            /** @description Subject line of an email. */
            subject?: string;
            /** @description Labels to find messages by. Not encrypted: do not put personal data into them. */
            tags?: string[];
            /** @description Template that the content is made from, in the language of the contact where it has a translation to that. Fields of the message come before those of the template. */
            template_id?: string;
            /** @description Title of a push or in-app message. */
            title?: string;
            /** @description Recipient: a phone number with country prefix, an email address, alone or as `Name <address>`, or for `push` and `in_app` also a contact id. */
            to: string;
            /** @description Seconds after its time until the message expires if it is not handed over. */
            ttl_seconds?: number;
            /** @description The events that are sent to the `webhook_url`. Default: all changes of status, without engagement and deferrals. */
            webhook_events?: components["schemas"]["WebhookEvent"][];
            /** @description Absolute URL that receives a webhook for every change of status of this message. */
            webhook_url?: string;
            /** @description The template of a WhatsApp message that the recipient sees; `message` is what history shows of it. Needed where the recipient has not written within 24 hours: without it the carrier refuses the message then (`status_reason` is `template_required`). */
            whatsapp_template?: components["schemas"]["WhatsappTemplate"];
        };
        SendMessagesRequest: {
            defaults?: components["schemas"]["MessageDefaults"];
            /** @description 1 to 10000 messages, each with the fields of a single send. */
            messages: components["schemas"]["BulkMessage"][];
            /**
             * @description `atomic` rejects all messages if one is invalid.
             * @default partial
             */
            mode?: components["schemas"]["BulkMode"];
        };
        SentCampaign: {
            channel: string;
            id: string;
            name: string;
        };
        SentCampaignCounts: {
            [key: string]: number;
        };
        Session: {
            /** Format: date-time */
            created_at: string;
            current: boolean;
            /** Format: date-time */
            expires_at: string;
            id: string;
            ip: string;
            /** Format: date-time */
            last_used_at: string;
            user_agent: string | null;
        };
        SessionPage: {
            data: components["schemas"]["Session"][];
            has_more: boolean;
            next_cursor: string | null;
            total?: components["schemas"]["Total"] | null;
        };
        SessionUser: {
            account_id: string;
            user: components["schemas"]["SignedInUser"];
            /** @description Only in the response to a write with fields that have no effect: `unknown field: x` for each that does not exist, `fixed field: x` for each that cannot be changed, `ignored field: x` for each that the channel of a message does not have. */
            warnings?: string[];
        };
        Settings: {
            account_id: string;
            branding: components["schemas"]["Branding"];
            carriers: {
                [key: string]: components["schemas"]["OwnCarrier"];
            };
            churn_window: string;
            /** Format: date-time */
            created_at: string;
            events_start_journeys_within: string;
            frequency_caps: components["schemas"]["FrequencyCap"][];
            hints: components["schemas"]["SettingsHint"][];
            identity: components["schemas"]["IdentitySettings"];
            identity_secret: components["schemas"]["IdentitySecret"];
            identity_verification: components["schemas"]["IdentityVerification"];
            inbox_allowed_origins: string[];
            marketing_consent: components["schemas"]["MarketingConsent"];
            name: string;
            on_unknown_outcome: components["schemas"]["OnUnknownOutcome"];
            purchase: components["schemas"]["PurchaseEvent"];
            quiet_hours: components["schemas"]["QuietHours"];
            received_webhooks: components["schemas"]["ReceivedWebhooks"];
            routes: components["schemas"]["CarrierRoutes"];
            senders: components["schemas"]["Senders"];
            soft_bounce_limit: components["schemas"]["SoftBounceLimit"] | null;
            timezone: string;
            /** Format: date-time */
            updated_at: string;
            version: number;
            /** @description Only in the response to a write with fields that have no effect: `unknown field: x` for each that does not exist, `fixed field: x` for each that cannot be changed, `ignored field: x` for each that the channel of a message does not have. */
            warnings?: string[];
            webhook_secret: components["schemas"]["WebhookSecret"];
        };
        SettingsHint: {
            code: string;
            message: string;
        };
        SignedInUser: {
            email: string;
            id: string;
            role: components["schemas"]["Role"];
        };
        SignInRequest: {
            /** @description Of the second factor: what the authenticator app shows, or a recovery code. */
            code?: string;
            email: string;
            password: string;
        };
        SignInResult: {
            account_id: string;
            /** Format: date-time */
            expires_at: string;
            expires_in: number;
            token: string;
            token_type: components["schemas"]["TokenType"];
            user: components["schemas"]["SignedInUser"];
            /** @description Only in the response to a write with fields that have no effect: `unknown field: x` for each that does not exist, `fixed field: x` for each that cannot be changed, `ignored field: x` for each that the channel of a message does not have. */
            warnings?: string[];
        };
        SimulatedEnrollment: {
            contact_id: string;
            /** @description Why it ended; null where it would still be under way. */
            ended: string | null;
            /** Format: date-time */
            ended_at: string | null;
            enrollment_id: string;
            path: components["schemas"]["SimulatedStep"][];
            /** Format: date-time */
            started_at: string;
        };
        SimulatedStep: {
            /** Format: date-time */
            at: string;
            node: string;
            /** @description As in the path of an enrollment; null where it still is there, since then. */
            outcome: string | null;
        };
        SimulateInboundMessageRequest: {
            /** @description Simulates a carrier that answers keywords itself; then Heliograph does not. */
            answered?: boolean;
            /**
             * Format: date-time
             * @description Time of the message at the carrier. Default: now.
             */
            at?: string;
            channel?: components["schemas"]["KeywordChannel"];
            /** @description The sender: a phone number with country prefix. It need not be known. */
            from: string;
            /** @description The carrier’s id of the message. A repeated id is a duplicate. Not encrypted: do not put personal data into it. */
            id?: string;
            /** @description The text of the message. */
            text: string;
            /** @description Your number that receives it. */
            to?: string;
        };
        SkippedRecipient: {
            contact_id: string;
            reason: components["schemas"]["SkipReason"];
            /** Format: date-time */
            skipped_at: string;
            status: components["schemas"]["SkippedStatus"];
        };
        SkippedRecipientPage: {
            data: components["schemas"]["SkippedRecipient"][];
            has_more: boolean;
            next_cursor: string | null;
            total?: components["schemas"]["Total"] | null;
        };
        /** @enum {string} */
        SkippedStatus: "skipped";
        /** @enum {string} */
        SkipReason: "no_address" | "too_late" | "merged" | "gone" | "invalid_message";
        SoftBounceLimit: {
            count: number;
            within: string;
        };
        /** @enum {string} */
        SortOrder: "asc" | "desc";
        /** @enum {string} */
        StatusReason: "unsubscribed" | "stop_keyword" | "hard_bounce" | "blocked" | "soft_bounces" | "complaint" | "manual" | "legal" | "no_consent" | "frequency_cap" | "erased" | "invalid_recipient" | "unknown_outcome" | "carrier_rejected" | "carrier_unavailable" | "carrier_misconfigured" | "no_device" | "ttl" | "dropped" | "template_required";
        StoreTemplatePartialRequest: {
            /** @description What templates include it by. */
            key: string;
            /** @description Liquid. It is escaped where the template that includes it is. */
            source: string;
        };
        SubmittedForm: {
            id: string;
            name: string | null;
            slug: string | null;
            version: number;
        };
        SubscribedContact: {
            email?: string;
            /** @description The id of a contact, instead of its email. */
            id?: string;
        };
        SuppressAddressRequest: {
            /** @description `all`: every channel, including future ones. */
            channel?: components["schemas"]["SuppressionChannel"];
            /** @description Domain of email addresses: `example.com` or `*@example.com`. All its addresses are suppressed, and those of subdomains are not. */
            domain?: string;
            /** @description Email address. */
            email?: string;
            /**
             * Format: date-time
             * @description Time of the person’s request. Default: now.
             */
            occurred_at?: string;
            /** @description Phone number with country prefix. */
            phone?: string;
            reason?: components["schemas"]["SuppressionReason"];
            /** @description `all` (the default): no message is sent. `marketing`: only marketing is stopped. */
            scope?: components["schemas"]["SuppressionScope"];
            /** @description Source of the information, in your own words. */
            source?: string;
        };
        Suppression: {
            /** @description `*@example.com` of the entry of a domain; `<erased>` after an erasure; null if only its hash was ever known. */
            address: string | null;
            /** @description `all`: every channel, including future ones. */
            channel: components["schemas"]["SuppressionChannel"];
            /** Format: date-time */
            created_at: string;
            /** @description The domain that is suppressed as a whole; null of the entry of one address. */
            domain: string | null;
            id: string;
            /** @description The most important of the active reasons with this scope: the reason of suppressed messages. */
            reason: components["schemas"]["SuppressionReason"];
            reasons: components["schemas"]["SuppressionCause"][];
            /** @description The widest scope of the active reasons. */
            scope: components["schemas"]["SuppressionScope"];
            /** Format: date-time */
            updated_at: string;
        };
        SuppressionCause: {
            message_id: string | null;
            /** Format: date-time */
            occurred_at: string;
            reason: components["schemas"]["SuppressionReason"];
            /** @description `all`: every message. `marketing`: messages of the category `marketing` only. */
            scope: components["schemas"]["SuppressionScope"];
            source: string;
            /** @description How it was received; null where the oldest data does not contain it. */
            via: components["schemas"]["SuppressionMethod"] | null;
        };
        /** @enum {string} */
        SuppressionChannel: "all" | "sms" | "email" | "whatsapp" | "rcs" | "push" | "in_app";
        SuppressionHistoryItem: {
            actor: components["schemas"]["Actor"];
            /** Format: date-time */
            at: string;
            because?: string;
            /** @description `all`: every channel, including future ones. */
            channel: components["schemas"]["SuppressionChannel"];
            event: components["schemas"]["SuppressionHistoryKind"];
            keyword?: string;
            message_id?: string | null;
            /** Format: date-time */
            occurred_at?: string;
            proof?: string | null;
            reasons: components["schemas"]["SuppressionReason"][];
            /** @description `all`: every message. `marketing`: messages of the category `marketing` only. */
            scope?: components["schemas"]["SuppressionScope"];
            /** @description Source of the suppression, or of its removal: `request`, `keyword`, `page`, `opt_in`. */
            source: string | null;
            /** @description How it was received. */
            via?: string | null;
        };
        SuppressionHistoryItemPage: {
            data: components["schemas"]["SuppressionHistoryItem"][];
            has_more: boolean;
            next_cursor: string | null;
            total?: components["schemas"]["Total"] | null;
        };
        /** @enum {string} */
        SuppressionHistoryKind: "suppressed" | "backdated" | "widened" | "lifted";
        SuppressionImportResult: {
            /** @description Rows whose suppression existed. The earliest time and the wider scope stay. */
            already_suppressed: number;
            dry_run?: boolean;
            errors: components["schemas"]["ItemError"][];
            /** @description True if there are more than the 1000 problems that are listed. */
            errors_truncated?: boolean;
            /** @description Rows that added a suppression, or gave one the wider scope `all`. */
            imported: number;
            /** @description Rows that were skipped. `errors` has the reasons. */
            invalid: number;
            received: number;
            /** @description Only in the response to a write with fields that have no effect: `unknown field: x` for each that does not exist, `fixed field: x` for each that cannot be changed, `ignored field: x` for each that the channel of a message does not have. */
            warnings?: string[];
        };
        /** @enum {string} */
        SuppressionMethod: "import" | "request" | "one_click" | "page" | "keyword" | "feedback" | "carrier" | "erasure";
        SuppressionPage: {
            data: components["schemas"]["Suppression"][];
            has_more: boolean;
            next_cursor: string | null;
            total?: components["schemas"]["Total"] | null;
        };
        /** @enum {string} */
        SuppressionReason: "erased" | "legal" | "complained" | "stop_keyword" | "unsubscribed" | "bounced" | "soft_bounces" | "manual";
        SuppressionResult: {
            address: string;
            /** @description False if this reason was already active, with this scope or a wider one. */
            changed: boolean;
            /** @description `all`: every channel, including future ones. */
            channel: components["schemas"]["SuppressionChannel"];
            domain: string | null;
            id: string;
            reason: components["schemas"]["SuppressionReason"];
            reasons: components["schemas"]["SuppressionCause"][];
            /** @description `all`: every message. `marketing`: messages of the category `marketing` only. */
            scope: components["schemas"]["SuppressionScope"];
            /** @description Only in the response to a write with fields that have no effect: `unknown field: x` for each that does not exist, `fixed field: x` for each that cannot be changed, `ignored field: x` for each that the channel of a message does not have. */
            warnings?: string[];
        };
        /** @enum {string} */
        SuppressionScope: "all" | "marketing";
        Template: {
            action_url: string | null;
            channel: components["schemas"]["Channel"];
            /** Format: date-time */
            created_at: string;
            from: string | null;
            /** @description With `mjml`, what that was compiled to. */
            html: string | null;
            id: string;
            message: string | null;
            mjml: string | null;
            name: string;
            preheader: string | null;
            reply_to: string | null;
            subject: string | null;
            title: string | null;
            /** @description The same in other languages, by language tag. With `mjml`, `html` is what that was compiled to. */
            translations: {
                [key: string]: components["schemas"]["TemplateTranslation"];
            };
            /** Format: date-time */
            updated_at: string;
            variables: string[];
            /** @description Number of the version, from 1. A version never changes. */
            version: number;
            /** @description When it is stored: variables that nobody has, with the nearest known name, and divisions whose result is another one than before. */
            warnings?: string[];
            whatsapp_template: components["schemas"]["WhatsappTemplate"] | null;
        };
        TemplatePartial: {
            /** @description What templates include it by. */
            key: string;
            source: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Number of the version, from 1. A version never changes. */
            version: number;
            /** @description Only in the response to a write with fields that have no effect: `unknown field: x` for each that does not exist, `fixed field: x` for each that cannot be changed, `ignored field: x` for each that the channel of a message does not have. */
            warnings?: string[];
        };
        TemplatePartialSummary: {
            /** @description What templates include it by. */
            key: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Number of the version, from 1. A version never changes. */
            version: number;
        };
        TemplatePartialSummaryPage: {
            data: components["schemas"]["TemplatePartialSummary"][];
            has_more: boolean;
            next_cursor: string | null;
            total?: components["schemas"]["Total"] | null;
        };
        TemplateSummary: {
            channel: components["schemas"]["Channel"];
            /** Format: date-time */
            created_at: string;
            id: string;
            name: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Number of the version, from 1. A version never changes. */
            version: number;
        };
        TemplateSummaryPage: {
            data: components["schemas"]["TemplateSummary"][];
            has_more: boolean;
            next_cursor: string | null;
            total?: components["schemas"]["Total"] | null;
        };
        TemplateTranslation: {
            action_url?: string;
            from?: string;
            html?: string;
            message?: string;
            mjml?: string;
            preheader?: string;
            reply_to?: string;
            subject?: string;
            title?: string;
            whatsapp_template?: components["schemas"]["WhatsappTemplate"];
        };
        TemplateTranslationRequest: {
            /** @description What a tap on a push or in-app message opens: an http or https URL, a path, or a link into an app. */
            action_url?: string | null;
            /** @description Sender of an email, or `Name <address>`. The name is Liquid, too, the address is not. Default: the sender of the account. */
            from?: string | null;
            /** @description HTML body of an email. Outputs are escaped; `| raw` writes one as it is. */
            html?: string | null;
            /** @description The text. Required, except in an email with `html` or `mjml`: its text is made of the HTML. */
            message?: string | null;
            /** @description MJML of an email, in place of `html`. It is compiled when the template is saved. */
            mjml?: string | null;
            /** @description What mail programs show beside the subject of an email, before it is opened. It is hidden at the start of the HTML, and not in the text. */
            preheader?: string | null;
            /** @description Address for replies to an email, as for `from`. */
            reply_to?: string | null;
            /** @description Subject line of an email. */
            subject?: string | null;
            /** @description Title of a push or in-app message. */
            title?: string | null;
            whatsapp_template?: components["schemas"]["WhatsappTemplate"] | null;
        };
        TemplateVariable: {
            available: components["schemas"]["VariableAvailability"];
            description: string;
            example: unknown;
            /** @description The path. A star stands for any name. */
            name: string;
        };
        TemplateVariableList: {
            data: components["schemas"]["TemplateVariable"][];
        };
        TemplateVersion: {
            /** Format: date-time */
            created_at: string;
            name: string;
            /** @description Number of the version, from 1. A version never changes. */
            version: number;
        };
        TemplateVersionPage: {
            data: components["schemas"]["TemplateVersion"][];
            has_more: boolean;
            next_cursor: string | null;
            total?: components["schemas"]["Total"] | null;
        };
        /** @enum {string} */
        TokenType: "Bearer";
        Total: {
            /** @description False where there are more. */
            exact: boolean;
            value: number;
        };
        TurnOffSecondFactorRequest: {
            code?: string;
            password?: string;
        };
        /** @enum {string} */
        UnknownOutcomePolicy: "retry" | "fail";
        UnmergeContactsRequest: {
            merge_id: string;
        };
        UnmergedContacts: {
            contact: components["schemas"]["Contact"];
            released: components["schemas"]["Contact"];
            /** @description Only in the response to a write with fields that have no effect: `unknown field: x` for each that does not exist, `fixed field: x` for each that cannot be changed, `ignored field: x` for each that the channel of a message does not have. */
            warnings?: string[];
        };
        UnsubscribeRequest: {
            /** @description `page` if the button of the page was pressed. */
            from?: string;
            /** @description `One-Click`. */
            "List-Unsubscribe"?: string;
        };
        UpdateContactRequest: {
            /** @description Values by the key of the field. Those of fields without `pii` are not encrypted: do not put personal data into them. */
            custom_fields?: {
                [key: string]: unknown;
            };
            email?: string | null;
            /** @description Given name. */
            first_name?: string | null;
            /**
             * @description An email or a phone that is replaced does not stay among `other_emails` or `other_phones`: the contact has it no more.
             * @default false
             */
            forget_previous?: boolean;
            /** @description Family name. */
            last_name?: string | null;
            /** @description BCP 47, `en-GB`. */
            locale?: string | null;
            /** @description Further email addresses. They are added; a PATCH makes them the only ones. */
            other_emails?: string[] | null;
            /** @description Further phone numbers. They are added; a PATCH makes them the only ones. */
            other_phones?: string[] | null;
            /** @description With country prefix. */
            phone?: string | null;
            /** @description Labels to find contacts by. Not encrypted: do not put personal data into them. */
            tags?: string[];
            /** @description IANA name, `Europe/Paris`. */
            timezone?: string | null;
        };
        UpdateCustomFieldRequest: {
            label?: string;
            options?: string[] | null;
        };
        UpdateFormRequest: {
            allowed_origins?: string[];
            consent?: components["schemas"]["FormConsentRequest"] | null;
            /**
             * @description The contact confirms by email before anything but the submission counts.
             * @default false
             */
            double_opt_in?: boolean;
            fields?: components["schemas"]["FormFieldRequest"][];
            honeypot_field?: string | null;
            /** @description In which the form is written. Default: that of the account. Its page, consent and mails are in it. */
            language?: components["schemas"]["Language"];
            list_ids?: string[];
            /**
             * @description A submission that comes sooner after the page is dropped.
             * @default 0
             */
            min_seconds?: number;
            /** @description Name of the form, and the title of its page. */
            name?: string;
            /** @description Where the browser goes after a submission. */
            redirect_url?: string | null;
            /** @description Last part of the address of the page. Unique over the whole service. */
            slug?: string;
            /** @default draft */
            status?: components["schemas"]["FormStatus"];
            /** @description What the page shows after a submission. */
            success_message?: string | null;
            tags?: string[];
            /** @description The former name of `translations`. In a change it replaces all of them. */
            texts?: {
                [key: string]: components["schemas"]["FormTexts"];
            };
            /** @description The texts of the page in other languages: `{"de": {"title": "…", "fields": {"email": {"label": "…"}}}}`. A translation has all texts that the form has. In a change, a language that is given replaces its texts, null removes them, and the others stay. The own language can have a title, a description and a button here. */
            translations?: {
                [key: string]: components["schemas"]["FormTexts"] | null;
            } | null;
        };
        UpdateListRequest: {
            description?: string | null;
            /** @description Name of the list, also shown in confirmation mails. */
            name?: string;
            /** @description `single`: contacts are subscribed when they are added. `double`: they are `pending`, and confirm by email within 72 hours. */
            opt_in?: components["schemas"]["OptIn"];
        };
        UpdateSegmentRequest: {
            /** @description Name of the segment. */
            name?: string;
            rules?: components["schemas"]["SegmentRule"];
        };
        UpdateSettingsRequest: {
            branding?: components["schemas"]["BrandingPatch"];
            carriers?: {
                [key: string]: {
                    [key: string]: string | null;
                } | null;
            };
            churn_window?: string;
            events_start_journeys_within?: string;
            frequency_caps?: components["schemas"]["FrequencyCap"][];
            identity?: components["schemas"]["IdentitySettingsPatch"];
            identity_secret?: string | components["schemas"]["IdentitySecretRotation"];
            identity_verification?: components["schemas"]["IdentityVerification"] | boolean;
            inbox_allowed_origins?: string[];
            marketing_consent?: components["schemas"]["MarketingConsentPatch"];
            name?: string;
            on_unknown_outcome?: components["schemas"]["OnUnknownOutcomePatch"];
            purchase?: components["schemas"]["PurchaseEventPatch"];
            quiet_hours?: components["schemas"]["QuietHoursPatch"];
            received_webhooks?: components["schemas"]["ReceivedWebhooksPatch"];
            routes?: components["schemas"]["CarrierRoutesPatch"];
            senders?: components["schemas"]["SendersPatch"];
            soft_bounce_limit?: components["schemas"]["SoftBounceLimit"] | null;
            timezone?: string;
            webhook_secret?: string | components["schemas"]["SecretRotation"];
        };
        UpdateTemplateRequest: {
            /** @description What a tap on a push or in-app message opens: an http or https URL, a path, or a link into an app. */
            action_url?: string | null;
            /** @description Sender of an email, or `Name <address>`. The name is Liquid, too, the address is not. Default: the sender of the account. */
            from?: string | null;
            /** @description HTML body of an email. Outputs are escaped; `| raw` writes one as it is. */
            html?: string | null;
            /** @description The text. Required, except in an email with `html` or `mjml`: its text is made of the HTML. */
            message?: string | null;
            /** @description MJML of an email, in place of `html`. It is compiled when the template is saved. */
            mjml?: string | null;
            /** @description Name of the template. */
            name?: string;
            /** @description What mail programs show beside the subject of an email, before it is opened. It is hidden at the start of the HTML, and not in the text. */
            preheader?: string | null;
            /** @description Address for replies to an email, as for `from`. */
            reply_to?: string | null;
            /** @description Subject line of an email. */
            subject?: string | null;
            /** @description Title of a push or in-app message. */
            title?: string | null;
            /** @description The same in other languages, by language tag: `{"de": {"subject": "…", "html": "…"}}`. A translation has all texts that the default has. The `locale` of the contact picks: of `pt-BR`, then `pt`, then the default. In a change, a language that is given replaces its translation, null removes it, and the others stay. */
            translations?: {
                [key: string]: components["schemas"]["TemplateTranslationRequest"] | null;
            } | null;
            whatsapp_template?: components["schemas"]["WhatsappTemplate"] | null;
        };
        UpdateUserRequest: {
            name?: string | null;
            password?: string;
            role?: components["schemas"]["Role"];
            status?: components["schemas"]["UserStatus"];
        };
        UpdateViewRequest: {
            /** @description What people call it. */
            name?: string;
            /** @description The page that it is of, as your program names it. */
            page?: string;
            /** @description The filters, as the query of an URL. */
            query?: string;
            /** @description `true`: for all of the account. `false`: for the user who has made it. */
            shared?: boolean;
        };
        UpdateWebhookEndpointRequest: {
            description?: string | null;
            /** @description Any of contact.created, contact.updated, contact.unsubscribed, contact.bounced, message.delivered, message.failed, message.received, campaign.sent, form.submitted. Empty: all of them. */
            events?: string[];
            /** @description At most 20 headers that are added to every request. They are stored encrypted and never shown. */
            headers?: {
                [key: string]: string;
            };
            status?: components["schemas"]["WebhookEndpointStatus"];
            /** @description An absolute URL that is not in a private network. */
            url?: string;
        };
        UpsertContactRequest: {
            /**
             * @description They have confirmed elsewhere, as `proof` says: they are subscribed at once, also to a list with double opt-in, and their consent to marketing email is recorded with the proof. Nobody is asked by mail. Who has left a list stays off it.
             * @default false
             */
            confirmed?: boolean;
            consents?: components["schemas"]["ConsentInput"][];
            /** @description Values by the key of the field. Those of fields without `pii` are not encrypted: do not put personal data into them. */
            custom_fields?: {
                [key: string]: unknown;
            };
            email?: string | null;
            /** @description Given name. */
            first_name?: string | null;
            /** @description Family name. */
            last_name?: string | null;
            list_ids?: string[];
            /** @description BCP 47, `en-GB`. */
            locale?: string | null;
            on_conflict?: components["schemas"]["OnConflict"];
            /** @description Further email addresses. They are added; a PATCH makes them the only ones. */
            other_emails?: string[] | null;
            /** @description Further phone numbers. They are added; a PATCH makes them the only ones. */
            other_phones?: string[] | null;
            /** @description With country prefix. */
            phone?: string | null;
            /** @description Only with `confirmed`: how you know. For example `{"text":"Double opt-in at the shop, 2023-05-01"}`. */
            proof?: string | components["schemas"]["ConsentProofInput"];
            /** @description Labels to find contacts by. Not encrypted: do not put personal data into them. */
            tags?: string[];
            /** @description IANA name, `Europe/Paris`. */
            timezone?: string | null;
        };
        UpsertedContact: {
            consents: components["schemas"]["ContactConsentStatuses"];
            /** Format: date-time */
            created_at: string;
            custom_fields: {
                [key: string]: unknown;
            };
            email: string | null;
            first_name: string | null;
            id: string;
            last_name: string | null;
            lists: components["schemas"]["ContactListMembership"][];
            locale: string | null;
            merge_ids: string[];
            merged: boolean;
            merged_ids: string[];
            other_emails: string[];
            other_phones: string[];
            phone: string | null;
            possible_duplicates?: string[];
            scores: components["schemas"]["ContactScoresOnRecord"];
            source: components["schemas"]["ContactSource"];
            suppressed_channels: string[];
            suppressions: components["schemas"]["ContactChannelSuppression"][];
            tags: string[];
            timezone: string | null;
            /** Format: date-time */
            updated_at: string;
            version: number;
            warnings?: (string | components["schemas"]["IdentityWarning"])[];
        };
        User: {
            /** Format: date-time */
            created_at: string;
            email: string;
            id: string;
            name: string | null;
            role: components["schemas"]["Role"];
            status: components["schemas"]["UserStatus"];
            /** Format: date-time */
            updated_at: string;
            version: number;
            /** @description Only in the response to a write with fields that have no effect: `unknown field: x` for each that does not exist, `fixed field: x` for each that cannot be changed, `ignored field: x` for each that the channel of a message does not have. */
            warnings?: string[];
        };
        UserPage: {
            data: components["schemas"]["User"][];
            has_more: boolean;
            next_cursor: string | null;
            total?: components["schemas"]["Total"] | null;
        };
        /** @enum {string} */
        UserStatus: "active" | "disabled";
        ValidationError: {
            code: components["schemas"]["ErrorCode"];
            /** @description Equal to `code`, except on 429, where it is `Rate limit exceeded`. */
            error: string;
            errors: components["schemas"]["FieldError"][];
            /** @description True if there are more than the 1000 problems that are listed. */
            errors_truncated?: boolean;
            /** @description For people. May change. */
            message: string;
            request_id: string;
        };
        /** @enum {string} */
        VariableAvailability: "all" | "contact" | "campaign" | "journey" | "event";
        WebhookDelivery: {
            attempts: components["schemas"]["DeliveryAttempt"][];
            /** Format: date-time */
            created_at: string;
            event: string;
            event_id: string;
            id: string;
            message_id: string;
            /** Format: date-time */
            next_attempt_at: string | null;
            status: components["schemas"]["DeliveryStatus"];
            url: string;
        };
        WebhookDeliveryDetail: {
            attempts: components["schemas"]["DeliveryAttempt"][];
            /** Format: date-time */
            created_at: string;
            event: string;
            event_id: string;
            id: string;
            message_id: string;
            /** Format: date-time */
            next_attempt_at: string | null;
            /** @description The exact JSON text of the request, the same for every attempt: the input of the signature. */
            request_body: string;
            status: components["schemas"]["DeliveryStatus"];
            url: string;
        };
        WebhookDeliveryPage: {
            data: components["schemas"]["WebhookDelivery"][];
            has_more: boolean;
            next_cursor: string | null;
            total?: components["schemas"]["Total"] | null;
        };
        WebhookEndpoint: {
            /** Format: date-time */
            created_at: string;
            description: string | null;
            events: components["schemas"]["PlatformEvent"][];
            id: string;
            status: components["schemas"]["WebhookEndpointStatus"];
            /** Format: date-time */
            updated_at: string;
            url: string;
            version: number;
            /** @description Only in the response to a write with fields that have no effect: `unknown field: x` for each that does not exist, `fixed field: x` for each that cannot be changed, `ignored field: x` for each that the channel of a message does not have. */
            warnings?: string[];
        };
        WebhookEndpointPage: {
            data: components["schemas"]["WebhookEndpoint"][];
            has_more: boolean;
            next_cursor: string | null;
            total?: components["schemas"]["Total"] | null;
        };
        /** @enum {string} */
        WebhookEndpointStatus: "enabled" | "disabled";
        WebhookEndpointWithSecret: {
            /** Format: date-time */
            created_at: string;
            description: string | null;
            events: components["schemas"]["PlatformEvent"][];
            id: string;
            secret: string;
            status: components["schemas"]["WebhookEndpointStatus"];
            /** Format: date-time */
            updated_at: string;
            url: string;
            version: number;
            /** @description Only in the response to a write with fields that have no effect: `unknown field: x` for each that does not exist, `fixed field: x` for each that cannot be changed, `ignored field: x` for each that the channel of a message does not have. */
            warnings?: string[];
        };
        WebhookError: {
            code: string;
            message: string;
        };
        /** @enum {string} */
        WebhookEvent: "message.scheduled" | "message.queued" | "message.suppressed" | "message.canceled" | "message.expired" | "message.deferred" | "message.sent" | "message.failed" | "message.delivered" | "message.undelivered" | "message.bounced" | "message.opened" | "message.clicked" | "message.read" | "message.replied" | "message.complained" | "message.unsubscribed";
        WebhookFormSubmission: {
            /** @description Whether the box was ticked; null if the form has none. */
            consent: boolean | null;
            /** @description An earlier submission with the same fields. */
            duplicate_of: string | null;
            fields: {
                [key: string]: unknown;
            } | "<erased>";
            id: string;
            language: string;
            page: string | null;
            status: components["schemas"]["WebhookFormSubmissionStatus"];
            /** Format: date-time */
            submitted_at: string;
        };
        /** @enum {string} */
        WebhookFormSubmissionStatus: "accepted" | "pending_confirmation";
        WebhookSecret: {
            prefix: string | null;
            /** Format: date-time */
            previous_valid_until: string | null;
            secret?: string;
            set: boolean;
        };
        WhatsappTemplate: {
            /** @description SID of the content: for Twilio. */
            content_sid?: string;
            /** @description Language of the template. */
            language?: string;
            /** @description Name of the template: for Vonage, with `language`. */
            name?: string;
            /** @description Values of its variables, by number or name: `{"1": "Ada"}`. White space in a value becomes single blanks, because WhatsApp refuses line breaks. */
            variables?: {
                [key: string]: string;
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    showForm: {
        parameters: {
            query?: {
                /** @description Language of the page, of en, de, fr, es, pl; it comes before that of the browser. */
                lang?: string;
            };
            header?: never;
            path: {
                /** @description The `slug` of the form. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    embedForm: {
        parameters: {
            query?: {
                /** @description Language of the page, of en, de, fr, es, pl; it comes before that of the browser. */
                lang?: string;
            };
            header?: never;
            path: {
                /** @description The `slug` of the form. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The script. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": string;
                };
            };
        };
    };
    showFormFrame: {
        parameters: {
            query?: {
                /** @description Language of the page, of en, de, fr, es, pl; it comes before that of the browser. */
                lang?: string;
            };
            header?: never;
            path: {
                /** @description The `slug` of the form. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    getInboxScript: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The script. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": string;
                };
            };
        };
    };
    getPushWorker: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The script. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": string;
                };
            };
        };
    };
    getPushScript: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The script. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": string;
                };
            };
        };
    };
    getSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings, with only a prefix of the webhook secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Settings"];
                };
            };
        };
    };
    updateSettings: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateSettingsRequest"];
            };
        };
        responses: {
            /** @description The settings after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Settings"];
                };
            };
        };
    };
    listSuppressions: {
        parameters: {
            query?: {
                /** @description Entries of this address, in any spelling, and of its domain. */
                address?: string;
                /** @description `all`: every channel, including future ones. */
                channel?: components["schemas"]["SuppressionChannel"];
                /** @description `true`: with `total`, the number of items on all pages: exact up to 10,000, above that this number and `exact: false`. */
                count?: components["schemas"]["CountFlag"];
                /** @description Only items with a later `created_at`. */
                created_after?: string;
                /** @description Only items with an earlier `created_at`. */
                created_before?: string;
                /** @description `next_cursor` of the previous page. All other parameters must be the same. */
                cursor?: string;
                /** @description Maximum number of items on a page. */
                limit?: number;
                /** @description `desc`: newest first. */
                order?: components["schemas"]["SortOrder"];
                reason?: components["schemas"]["SuppressionReason"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuppressionPage"];
                };
            };
        };
    };
    suppressAddress: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SuppressAddressRequest"];
            };
        };
        responses: {
            /** @description The address was on the list before. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuppressionResult"];
                };
            };
            /** @description The address was added. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuppressionResult"];
                };
            };
        };
    };
    getSuppression: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the entry. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entry. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Suppression"];
                };
            };
        };
    };
    liftSuppression: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path: {
                /** @description Id of the entry. */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["LiftSuppressionRequest"];
            };
        };
        responses: {
            /** @description Messages may be sent again, unless another suppression is active. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LiftedSuppression"];
                };
            };
        };
    };
    importSuppressions: {
        parameters: {
            query?: {
                /** @description `all`: every channel, including future ones. */
                channel?: components["schemas"]["SuppressionChannel"];
                dry_run?: boolean;
                reason?: components["schemas"]["SuppressionReason"];
                /** @description `all`: every message. `marketing`: messages of the category `marketing` only. */
                scope?: components["schemas"]["SuppressionScope"];
                /** @description Source of the information, in your own words. */
                source?: string;
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 33554432 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImportSuppressionsRequest"] | (components["schemas"]["ImportedSuppression"] | string)[];
                "text/csv": string;
            };
        };
        responses: {
            /** @description The result of the import. All valid rows are on disk. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuppressionImportResult"];
                };
            };
        };
    };
    listSuppressionHistory: {
        parameters: {
            query: {
                /** @description The address, in any spelling. */
                address: string;
                /** @description Only items with a later `at`. */
                created_after?: string;
                /** @description Only items with an earlier `at`. */
                created_before?: string;
                /** @description `next_cursor` of the previous page. All other parameters must be the same. */
                cursor?: string;
                /** @description Maximum number of items on a page. */
                limit?: number;
                /** @description `asc`: oldest first. */
                order?: components["schemas"]["SortOrder"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The recorded history. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuppressionHistoryItemPage"];
                };
            };
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description Only items with a later `created_at`. */
                created_after?: string;
                /** @description Only items with an earlier `created_at`. */
                created_before?: string;
                /** @description `next_cursor` of the previous page. All other parameters must be the same. */
                cursor?: string;
                /** @description Maximum number of items on a page. */
                limit?: number;
                /** @description `desc`: newest first. */
                order?: components["schemas"]["SortOrder"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The users of the account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserPage"];
                };
            };
        };
    };
    createUser: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateUserRequest"];
            };
        };
        responses: {
            /** @description The new user. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user is removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateUser: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateUserRequest"];
            };
        };
        responses: {
            /** @description The user after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    inviteUser: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["InviteUserRequest"];
            };
        };
        responses: {
            /** @description The invitation. `message_id` is that of the mail. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitedUser"];
                };
            };
        };
    };
    listActivity: {
        parameters: {
            query?: {
                /** @description Only this action, such as `campaign.send`. */
                action?: components["schemas"]["ActivityAction"];
                /** @description Only items with a later `created_at`. */
                created_after?: string;
                /** @description Only items with an earlier `created_at`. */
                created_before?: string;
                /** @description `next_cursor` of the previous page. All other parameters must be the same. */
                cursor?: string;
                /** @description Only changes by this key. */
                key_id?: string;
                /** @description Maximum number of items on a page. */
                limit?: number;
                /** @description `desc`: newest first. */
                order?: components["schemas"]["SortOrder"];
                /** @description Only changes of this resource. */
                resource_id?: string;
                /** @description Only changes of such resources, for example `campaign`. */
                resource_kind?: string;
                /** @description Only changes by this user. */
                user_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivityPage"];
                };
            };
        };
    };
    getAnalytics: {
        parameters: {
            query?: {
                /** @description First day, such as 2026-01-01, or a time on it. Default: 29 days before the last one. */
                from?: string;
                group_by?: components["schemas"]["AnalyticsGroup"];
                interval?: components["schemas"]["AnalyticsInterval"];
                /** @description Last day, included, or a time on it. Default: today. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The periods in order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Analytics"];
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description Only items with a later `created_at`. */
                created_after?: string;
                /** @description Only items with an earlier `created_at`. */
                created_before?: string;
                /** @description `next_cursor` of the previous page. All other parameters must be the same. */
                cursor?: string;
                /** @description Maximum number of items on a page. */
                limit?: number;
                /** @description `desc`: newest first. */
                order?: components["schemas"]["SortOrder"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys that are not revoked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyPage"];
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKeyRequest"];
            };
        };
        responses: {
            /** @description The key. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedApiKey"];
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key is revoked. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    acceptInvitation: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        /** @description At most 16384 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptInvitationRequest"];
            };
        };
        responses: {
            /** @description The new user, who can sign in now. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    signIn: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 16384 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignInRequest"];
            };
        };
        responses: {
            /** @description A token for `Authorization: Bearer`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInResult"];
                };
            };
        };
    };
    changePassword: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 16384 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePasswordRequest"];
            };
        };
        responses: {
            /** @description The password is changed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    requestPasswordReset: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 16384 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequestPasswordResetRequest"];
            };
        };
        responses: {
            /** @description The mail is sent, if anybody signs in with the email. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    resetPassword: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        /** @description At most 16384 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResetPasswordRequest"];
            };
        };
        responses: {
            /** @description The password is changed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    refreshToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A token for `Authorization: Bearer`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInResult"];
                };
            };
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionUser"];
                };
            };
        };
    };
    createSession: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 16384 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSessionRequest"];
            };
        };
        responses: {
            /** @description The user. `Set-Cookie` has the session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionUser"];
                };
            };
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session has ended. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listSessions: {
        parameters: {
            query?: {
                /** @description Only items with a later `created_at`. */
                created_after?: string;
                /** @description Only items with an earlier `created_at`. */
                created_before?: string;
                /** @description `next_cursor` of the previous page. All other parameters must be the same. */
                cursor?: string;
                /** @description Maximum number of items on a page. */
                limit?: number;
                /** @description `desc`: newest first. */
                order?: components["schemas"]["SortOrder"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The open sessions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionPage"];
                };
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session has ended. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    prepareSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The secret and the recovery codes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreparedSecondFactor"];
                };
            };
        };
    };
    turnOffSecondFactor: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 16384 bytes. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TurnOffSecondFactorRequest"];
            };
        };
        responses: {
            /** @description There is no second factor any more. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    confirmSecondFactor: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 16384 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmSecondFactorRequest"];
            };
        };
        responses: {
            /** @description The second factor is on. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listCampaigns: {
        parameters: {
            query?: {
                /** @description `true`: with `total`, the number of items on all pages: exact up to 10,000, above that this number and `exact: false`. */
                count?: components["schemas"]["CountFlag"];
                /** @description Only items with a later `created_at`. */
                created_after?: string;
                /** @description Only items with an earlier `created_at`. */
                created_before?: string;
                /** @description `next_cursor` of the previous page. All other parameters must be the same. */
                cursor?: string;
                /** @description Maximum number of items on a page. */
                limit?: number;
                /** @description `desc`: newest first. */
                order?: components["schemas"]["SortOrder"];
                status?: components["schemas"]["CampaignStatus"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first, without their contents. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignSummaryPage"];
                };
            };
        };
    };
    createCampaign: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CampaignRequest"];
            };
        };
        responses: {
            /** @description The campaign. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
        };
    };
    getCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the campaign, cmp_…. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The campaign. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
        };
    };
    deleteCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the campaign, cmp_…. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The campaign is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateCampaign: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path: {
                /** @description Id of the campaign, cmp_…. */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CampaignChange"];
            };
        };
        responses: {
            /** @description The campaign after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
        };
    };
    getCampaignAudience: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the campaign, cmp_…. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignReach"];
                };
            };
        };
    };
    cancelCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the campaign, cmp_…. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The campaign. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
        };
    };
    duplicateCampaign: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path: {
                /** @description Id of the campaign, cmp_…. */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DuplicateCampaignRequest"];
            };
        };
        responses: {
            /** @description The copy. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
        };
    };
    listCampaignLinks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the campaign, cmp_…. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The links. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListCampaignLinksResult"];
                };
            };
        };
    };
    pauseCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the campaign, cmp_…. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The campaign. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
        };
    };
    listCampaignRecipients: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. All other parameters must be the same. */
                cursor?: string;
                /** @description Maximum number of items on a page. */
                limit?: number;
                /** @description `desc`: newest first. */
                order?: components["schemas"]["SortOrder"];
                status?: components["schemas"]["CampaignRecipientStatus"];
            };
            header?: never;
            path: {
                /** @description Id of the campaign, cmp_…. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessagePage"] | components["schemas"]["SkippedRecipientPage"];
                };
            };
        };
    };
    resumeCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the campaign, cmp_…. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The campaign. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
        };
    };
    scheduleCampaign: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path: {
                /** @description Id of the campaign, cmp_…. */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ScheduleCampaignRequest"];
            };
        };
        responses: {
            /** @description The campaign. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
        };
    };
    sendCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the campaign, cmp_…. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The campaign. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
        };
    };
    getCampaignStats: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the campaign, cmp_…. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The numbers as they are now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignStats"];
                };
            };
        };
    };
    testSendCampaign: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path: {
                /** @description Id of the campaign, cmp_…. */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CampaignTestSendRequest"];
            };
        };
        responses: {
            /** @description The messages. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignTestSendResult"];
                };
            };
        };
    };
    streamChanges: {
        parameters: {
            query?: {
                /** @description Only changes of these kinds of resources, with commas between: `message`, `inbound_message`, `webhook_delivery`, `webhook_endpoint`, `contact`, `custom_field`, `event`, `list`, `segment`, `suppression`, `campaign`, `journey`, `enrollment`, `template`, `template_partial`, `form`, `form_submission`, `inbox_message`, `push_subscription`, `view`, `job`, `user`, `session`, `api_key`, `settings`. */
                resources?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events, as long as the connection is open. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["ChangeEvent"];
                };
            };
        };
    };
    listContacts: {
        parameters: {
            query?: {
                /** @description `true`: with `total`, the number of items on all pages: exact up to 10,000, above that this number and `exact: false`. */
                count?: components["schemas"]["CountFlag"];
                /** @description Only items with a later `created_at`. */
                created_after?: string;
                /** @description Only items with an earlier `created_at`. */
                created_before?: string;
                /** @description `next_cursor` of the previous page. All other parameters must be the same. */
                cursor?: string;
                custom_field?: {
                    [key: string]: string;
                };
                /** @description The contact with this address, in any spelling. */
                email?: string;
                /** @description Maximum number of items on a page. */
                limit?: number;
                /** @description Contacts with the status `subscribed` on this list. */
                list_id?: string;
                /** @description `desc`: newest first. */
                order?: components["schemas"]["SortOrder"];
                /** @description The contact with this number, with country prefix. */
                phone?: string;
                /** @description Contacts that another one may be: it has the same number in its other spelling, such as `+52 1 …` for `+52 …`. Merge them, or leave them as they are. Not with `q` or `segment_id`. A page may have fewer contacts than `limit`, and `has_more`. */
                possible_duplicates?: components["schemas"]["PossibleDuplicatesFilter"];
                /** @description Contacts with all these words in their names, emails or phone numbers: beginnings of words, in any case and with or without accents, and digits in a row. At least one has three letters or digits, of a phone number the first or last ones, or five anywhere. A page may have fewer contacts than `limit`, and `has_more`. */
                q?: string;
                /** @description Contacts that are in this segment now. Of a large account, a page may have fewer contacts than `limit`, and `has_more`. */
                segment_id?: string;
                /** @description Contacts with this tag. */
                tag?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of contacts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactPage"];
                };
            };
        };
    };
    upsertContact: {
        parameters: {
            query?: {
                on_conflict?: components["schemas"]["OnConflict"];
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpsertContactRequest"];
            };
        };
        responses: {
            /** @description The contact existed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpsertedContact"];
                };
            };
            /** @description The contact was created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpsertedContact"];
                };
            };
        };
    };
    getContact: {
        parameters: {
            query?: {
                /** @description The contact as it was at this time, from its events. */
                as_of?: string;
            };
            header?: never;
            path: {
                /** @description Contact id. The id of a merged contact returns the contact that it is merged into. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The contact. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contact"];
                };
            };
        };
    };
    deleteContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Contact id. The id of a merged contact returns the contact that it is merged into. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The contact is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateContact: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path: {
                /** @description Contact id. The id of a merged contact returns the contact that it is merged into. */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateContactRequest"];
            };
        };
        responses: {
            /** @description The contact after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contact"];
                };
            };
        };
    };
    getConsents: {
        parameters: {
            query?: {
                /** @description Only statements up to this time (`occurred_at`). */
                as_of?: string;
                /** @description Only statements that were recorded up to this time. Default: all. */
                known_at?: string;
            };
            header?: never;
            path: {
                /** @description Contact id. The id of a merged contact returns the contact that it is merged into. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The consents in effect. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactConsents"];
                };
            };
        };
    };
    recordConsent: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path: {
                /** @description Contact id. The id of a merged contact returns the contact that it is merged into. */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConsentInput"];
            };
        };
        responses: {
            /** @description The entry. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsentLedgerEntry"];
                };
            };
        };
    };
    exportConsents: {
        parameters: {
            query?: {
                /** @description Only statements up to this time (`occurred_at`). */
                as_of?: string;
                /** @description Only statements that were recorded up to this time. Default: all. */
                known_at?: string;
            };
            header?: never;
            path: {
                /** @description Contact id. The id of a merged contact returns the contact that it is merged into. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsentExport"];
                };
            };
        };
    };
    listConsentHistory: {
        parameters: {
            query?: {
                /** @description Only statements up to this time (`occurred_at`). */
                as_of?: string;
                /** @description Only items with a later `occurred_at`. */
                created_after?: string;
                /** @description Only items with an earlier `occurred_at`. */
                created_before?: string;
                /** @description `next_cursor` of the previous page. All other parameters must be the same. */
                cursor?: string;
                /** @description Only statements that were recorded up to this time. Default: all. */
                known_at?: string;
                /** @description Maximum number of items on a page. */
                limit?: number;
                /** @description `desc`: newest first. */
                order?: components["schemas"]["SortOrder"];
            };
            header?: never;
            path: {
                /** @description Contact id. The id of a merged contact returns the contact that it is merged into. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The ledger. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsentLedgerEntryPage"];
                };
            };
        };
    };
    listContactEnrollments: {
        parameters: {
            query?: {
                /** @description Only items with a later `started_at`. */
                created_after?: string;
                /** @description Only items with an earlier `started_at`. */
                created_before?: string;
                /** @description `next_cursor` of the previous page. All other parameters must be the same. */
                cursor?: string;
                /** @description Maximum number of items on a page. */
                limit?: number;
                /** @description `desc`: newest first. */
                order?: components["schemas"]["SortOrder"];
                status?: components["schemas"]["EnrollmentStatus"];
            };
            header?: never;
            path: {
                /** @description Contact id. The id of a merged contact returns those of the contact that it is merged into. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnrollmentSummaryPage"];
                };
            };
        };
    };
    eraseContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Contact id. The id of a merged contact erases the contact that it is merged into. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `running` until all keys are destroyed, usually for less than a second; then `completed`. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Erasure"];
                };
            };
        };
    };
    mergeContacts: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path: {
                /** @description Contact id. The id of a merged contact returns the contact that it is merged into. */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["MergeContactsRequest"];
            };
        };
        responses: {
            /** @description The surviving contact. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MergedContact"];
                };
            };
        };
    };
    getContactScores: {
        parameters: {
            query?: {
                /** @description The scores as they were at this time. */
                as_of?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every score. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactScores"];
                };
            };
        };
    };
    listContactSegments: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Contact id. The id of a merged contact returns the segments of the contact that it is merged into. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of its segments. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactSegments"];
                };
            };
        };
    };
    getContactTimeline: {
        parameters: {
            query?: {
                /** @description Only items with a later `occurred_at`. */
                created_after?: string;
                /** @description Only items with an earlier `occurred_at`. */
                created_before?: string;
                /** @description `next_cursor` of the previous page. All other parameters must be the same. */
                cursor?: string;
                kind?: components["schemas"]["ContactTimelineKind"];
                /** @description Maximum number of items on a page. */
                limit?: number;
                /** @description `desc`: newest first. */
                order?: components["schemas"]["SortOrder"];
            };
            header?: never;
            path: {
                /** @description Contact id. The id of a merged contact returns the contact that it is merged into. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactTimelineEntryPage"];
                };
            };
        };
    };
    unmergeContacts: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path: {
                /** @description Contact id. The id of a merged contact returns the contact that it is merged into. */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UnmergeContactsRequest"];
            };
        };
        responses: {
            /** @description The two contacts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnmergedContacts"];
                };
            };
        };
    };
    bulkChangeContacts: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactBulkRequest"];
            };
        };
        responses: {
            /** @description What a dry run has found. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactBulkDryRun"];
                };
            };
            /** @description The job is accepted. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    exportContacts: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ExportContactsRequest"];
            };
        };
        responses: {
            /** @description The export is accepted. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    importContacts: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 33554432 bytes. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ImportContactsRequest"];
                "multipart/form-data": components["schemas"]["ContactImportForm"];
            };
        };
        responses: {
            /** @description The result for up to 1000 rows, or the expected result of a dry run. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactImport"] | components["schemas"]["ContactImportDryRun"];
                };
            };
            /** @description All rows are on disk and will be processed. Of a dry run: the job, whose result is that of the dry run. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactImport"] | components["schemas"]["Job"];
                };
            };
        };
    };
    previewContactImport: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 33554432 bytes. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PreviewContactImportRequest"];
                "multipart/form-data": components["schemas"]["ContactImportForm"];
            };
        };
        responses: {
            /** @description The proposals, and what would become of the first rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactImportPreview"];
                };
            };
        };
    };
    listContactImports: {
        parameters: {
            query?: {
                /** @description Only items with a later `created_at`. */
                created_after?: string;
                /** @description Only items with an earlier `created_at`. */
                created_before?: string;
                /** @description `next_cursor` of the previous page. All other parameters must be the same. */
                cursor?: string;
                /** @description Maximum number of items on a page. */
                limit?: number;
                /** @description `desc`: newest first. */
                order?: components["schemas"]["SortOrder"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactImportPage"];
                };
            };
        };
    };
    getContactImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the import. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The import. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactImport"];
                };
            };
        };
    };
    cancelContactImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the import. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The import. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactImport"];
                };
            };
        };
    };
    listContactImportErrors: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. All other parameters must be the same. */
                cursor?: string;
                /** @description Maximum number of items on a page. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of the import. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description In order of rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportRowErrorPage"];
                };
            };
        };
    };
    revertContactImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the import. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The revert has started. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactImport"];
                };
            };
        };
    };
    listCustomFields: {
        parameters: {
            query?: {
                /** @description Only items with a later `created_at`. */
                created_after?: string;
                /** @description Only items with an earlier `created_at`. */
                created_before?: string;
                /** @description `next_cursor` of the previous page. All other parameters must be the same. */
                cursor?: string;
                /** @description Maximum number of items on a page. */
                limit?: number;
                /** @description `desc`: newest first. */
                order?: components["schemas"]["SortOrder"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The fields of the account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomFieldPage"];
                };
            };
        };
    };
    createCustomField: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCustomFieldRequest"];
            };
        };
        responses: {
            /** @description The new field. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomField"];
                };
            };
        };
    };
    getCustomField: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The field. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomField"];
                };
            };
        };
    };
    deleteCustomField: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The field is removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateCustomField: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateCustomFieldRequest"];
            };
        };
        responses: {
            /** @description The field after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomField"];
                };
            };
        };
    };
    getEnrollment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the enrollment, enr_…. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The enrollment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Enrollment"];
                };
            };
        };
    };
    exitEnrollment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the enrollment, enr_…. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The enrollment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Enrollment"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Of this contact and of all that is merged into it. */
                contact_id?: string;
                /** @description Only items with a later `accepted_at`. */
                created_after?: string;
                /** @description Only items with an earlier `accepted_at`. */
                created_before?: string;
                /** @description `next_cursor` of the previous page. All other parameters must be the same. */
                cursor?: string;
                /** @description Only events with this name. */
                event?: string;
                /** @description Maximum number of items on a page. */
                limit?: number;
                /** @description Only events after this time. */
                occurred_after?: string;
                /** @description Only events before this time. */
                occurred_before?: string;
                /** @description `desc`: newest first. */
                order?: components["schemas"]["SortOrder"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomEventPage"];
                };
            };
        };
    };
    recordEvent: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordEventRequest"];
            };
        };
        responses: {
            /** @description The event is stored. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordedEvent"];
                };
            };
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomEvent"];
                };
            };
        };
    };
    recordEvents: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 33554432 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordEventsRequest"];
            };
        };
        responses: {
            /** @description The result of each event. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordedEvents"];
                };
            };
        };
    };
    listForms: {
        parameters: {
            query?: {
                /** @description `true`: with `total`, the number of items on all pages: exact up to 10,000, above that this number and `exact: false`. */
                count?: components["schemas"]["CountFlag"];
                /** @description Only items with a later `created_at`. */
                created_after?: string;
                /** @description Only items with an earlier `created_at`. */
                created_before?: string;
                /** @description `next_cursor` of the previous page. All other parameters must be the same. */
                cursor?: string;
                /** @description Maximum number of items on a page. */
                limit?: number;
                /** @description `desc`: newest first. */
                order?: components["schemas"]["SortOrder"];
                status?: components["schemas"]["FormStatus"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FormSummaryPage"];
                };
            };
        };
    };
    createForm: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateFormRequest"];
            };
        };
        responses: {
            /** @description The form. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Form"];
                };
            };
        };
    };
    getForm: {
        parameters: {
            query?: {
                /** @description The version to read. Default: the latest. */
                version?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The form. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Form"];
                };
            };
        };
    };
    deleteForm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The form is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateForm: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateFormRequest"];
            };
        };
        responses: {
            /** @description The form after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Form"];
                };
            };
        };
    };
    getFormStats: {
        parameters: {
            query?: {
                /** @description First day. Default: 29 days before the last one. */
                from?: string;
                /** @description Last day. Default: today. */
                to?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FormStats"];
                };
            };
        };
    };
    listFormSubmissions: {
        parameters: {
            query?: {
                contact_id?: string;
                /** @description Only items with a later `created_at`. */
                created_after?: string;
                /** @description Only items with an earlier `created_at`. */
                created_before?: string;
                /** @description `next_cursor` of the previous page. All other parameters must be the same. */
                cursor?: string;
                /** @description Maximum number of items on a page. */
                limit?: number;
                /** @description `desc`: newest first. */
                order?: components["schemas"]["SortOrder"];
                status?: components["schemas"]["FormSubmissionStatus"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FormSubmissionPage"];
                };
            };
        };
    };
    exportFormSubmissions: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ExportFormSubmissionsRequest"];
            };
        };
        responses: {
            /** @description The export is accepted. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    listFormVersions: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. All other parameters must be the same. */
                cursor?: string;
                /** @description Maximum number of items on a page. */
                limit?: number;
                /** @description `desc`: newest first. */
                order?: components["schemas"]["SortOrder"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FormVersionPage"];
                };
            };
        };
    };
    listInboundMessages: {
        parameters: {
            query?: {
                channel?: components["schemas"]["Channel"];
                /** @description Only items with a later `created_at`. */
                created_after?: string;
                /** @description Only items with an earlier `created_at`. */
                created_before?: string;
                /** @description `next_cursor` of the previous page. All other parameters must be the same. */
                cursor?: string;
                /** @description Messages from this number or address, in any spelling. */
                from?: string;
                /** @description Maximum number of items on a page. */
                limit?: number;
                /** @description Answers to this message. */
                message_id?: string;
                /** @description `desc`: newest first. */
                order?: components["schemas"]["SortOrder"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of received messages. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceivedMessagePage"];
                };
            };
        };
    };
    getInboundMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the received message, inb_…. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The received message. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceivedMessage"];
                };
            };
        };
    };
    getInboxCounts: {
        parameters: {
            query?: {
                /** @description Whose inbox. Required with an API key; a token has its own contact. */
                contact_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboxCounts"];
                };
            };
        };
    };
    listInboxMessages: {
        parameters: {
            query?: {
                /** @description Whose inbox. Required with an API key; a token has its own contact. */
                contact_id?: string;
                /** @description Only items with a later `created_at`. */
                created_after?: string;
                /** @description Only items with an earlier `created_at`. */
                created_before?: string;
                /** @description `next_cursor` of the previous page. All other parameters must be the same. */
                cursor?: string;
                filter?: components["schemas"]["InboxFilter"];
                /** @description Maximum number of items on a page. */
                limit?: number;
                /** @description `desc`: newest first. */
                order?: components["schemas"]["SortOrder"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboxMessagePage"];
                };
            };
        };
    };
    archiveInboxMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboxMessage"];
                };
            };
        };
    };
    clickInboxMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboxMessage"];
                };
            };
        };
    };
    readInboxMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboxMessage"];
                };
            };
        };
    };
    seeInboxMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboxMessage"];
                };
            };
        };
    };
    unarchiveInboxMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboxMessage"];
                };
            };
        };
    };
    unreadInboxMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboxMessage"];
                };
            };
        };
    };
    archiveInbox: {
        parameters: {
            query?: {
                /** @description Whose inbox. Required with an API key; a token has its own contact. */
                contact_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How many have changed, and the counts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboxMarkedAll"];
                };
            };
        };
    };
    markInboxRead: {
        parameters: {
            query?: {
                /** @description Whose inbox. Required with an API key; a token has its own contact. */
                contact_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How many have changed, and the counts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboxMarkedAll"];
                };
            };
        };
    };
    markInboxSeen: {
        parameters: {
            query?: {
                /** @description Whose inbox. Required with an API key; a token has its own contact. */
                contact_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How many have changed, and the counts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboxMarkedAll"];
                };
            };
        };
    };
    streamInbox: {
        parameters: {
            query?: {
                /** @description Whose inbox. Required with an API key; a token has its own contact. */
                contact_id?: string;
                /** @description A token of the inbox, for browsers, which cannot send a header with an `EventSource`. */
                token?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events, as long as the connection is open. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["InboxEvent"];
                };
            };
        };
    };
    createInboxToken: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateInboxTokenRequest"];
            };
        };
        responses: {
            /** @description The token. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboxToken"];
                };
            };
        };
    };
    listJobs: {
        parameters: {
            query?: {
                /** @description `true`: with `total`, the number of items on all pages: exact up to 10,000, above that this number and `exact: false`. */
                count?: components["schemas"]["CountFlag"];
                /** @description Only items with a later `created_at`. */
                created_after?: string;
                /** @description Only items with an earlier `created_at`. */
                created_before?: string;
                /** @description `next_cursor` of the previous page. All other parameters must be the same. */
                cursor?: string;
                /** @description Only jobs of this kind, for example `contact_import`. */
                kind?: string;
                /** @description Maximum number of items on a page. */
                limit?: number;
                /** @description `desc`: newest first. */
                order?: components["schemas"]["SortOrder"];
                status?: components["schemas"]["JobStatus"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobPage"];
                };
            };
        };
    };
    getJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the job, job_…. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    cancelJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the job, job_…. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    listJobErrors: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. All other parameters must be the same. */
                cursor?: string;
                /** @description Maximum number of items on a page. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of the job, job_…. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description In order of items. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobErrorPage"];
                };
            };
        };
    };
    downloadJobResult: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the job, job_…. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                    "text/csv": string;
                };
            };
        };
    };
    listJourneyTemplates: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What there is. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JourneyTemplateList"];
                };
            };
        };
    };
    getJourneyTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A body of `POST /v1/journeys`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JourneyTemplateBody"];
                };
            };
        };
    };
    listJourneys: {
        parameters: {
            query?: {
                /** @description `true`: with `total`, the number of items on all pages: exact up to 10,000, above that this number and `exact: false`. */
                count?: components["schemas"]["CountFlag"];
                /** @description Only items with a later `created_at`. */
                created_after?: string;
                /** @description Only items with an earlier `created_at`. */
                created_before?: string;
                /** @description `next_cursor` of the previous page. All other parameters must be the same. */
                cursor?: string;
                /** @description Maximum number of items on a page. */
                limit?: number;
                /** @description `desc`: newest first. */
                order?: components["schemas"]["SortOrder"];
                status?: components["schemas"]["JourneyStatus"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first, without their nodes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JourneySummaryPage"];
                };
            };
        };
    };
    createJourney: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["JourneyRequest"];
            };
        };
        responses: {
            /** @description The journey. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Journey"];
                };
            };
        };
    };
    getJourney: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the journey, jrn_…. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The journey. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Journey"];
                };
            };
        };
    };
    deleteJourney: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the journey, jrn_…. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The journey is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateJourney: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path: {
                /** @description Id of the journey, jrn_…. */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["JourneyChange"];
            };
        };
        responses: {
            /** @description The journey after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Journey"];
                };
            };
        };
    };
    archiveJourney: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the journey, jrn_…. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The journey. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Journey"];
                };
            };
        };
    };
    listEnrollments: {
        parameters: {
            query?: {
                contact_id?: string;
                /** @description Only items with a later `started_at`. */
                created_after?: string;
                /** @description Only items with an earlier `started_at`. */
                created_before?: string;
                /** @description `next_cursor` of the previous page. All other parameters must be the same. */
                cursor?: string;
                /** @description Maximum number of items on a page. */
                limit?: number;
                /** @description `desc`: newest first. */
                order?: components["schemas"]["SortOrder"];
                status?: components["schemas"]["EnrollmentStatus"];
            };
            header?: never;
            path: {
                /** @description Id of the journey, jrn_…. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnrollmentSummaryPage"];
                };
            };
        };
    };
    enrollContact: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path: {
                /** @description Id of the journey, jrn_…. */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EnrollmentRequest"];
            };
        };
        responses: {
            /** @description The enrollment. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Enrollment"];
                };
            };
        };
    };
    explainJourney: {
        parameters: {
            query: {
                contact_id: string;
            };
            header?: never;
            path: {
                /** @description Id of the journey, jrn_…. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The explanation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JourneyExplanation"];
                };
            };
        };
    };
    drawJourney: {
        parameters: {
            query?: {
                format?: components["schemas"]["JourneyGraphFormat"];
                /** @description The number of a version, `draft` or `published`. Default: what is published, or else the draft. */
                version?: string;
            };
            header?: never;
            path: {
                /** @description Id of the journey, jrn_…. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                    "text/plain": string;
                };
            };
        };
    };
    pauseJourney: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the journey, jrn_…. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The journey. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Journey"];
                };
            };
        };
    };
    publishJourney: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path: {
                /** @description Id of the journey, jrn_…. */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PublishJourneyRequest"];
            };
        };
        responses: {
            /** @description The journey. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Journey"];
                };
            };
        };
    };
    resumeJourney: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the journey, jrn_…. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The journey. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Journey"];
                };
            };
        };
    };
    simulateJourney: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path: {
                /** @description Id of the journey, jrn_…. */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["JourneySimulationRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JourneySimulation"];
                };
            };
            /** @description The job is accepted. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    getJourneyStats: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the journey, jrn_…. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The numbers as they are now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JourneyStats"];
                };
            };
        };
    };
    stopJourney: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the journey, jrn_…. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The journey. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Journey"];
                };
            };
        };
    };
    testJourney: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path: {
                /** @description Id of the journey, jrn_…. */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["JourneyTestRequest"];
            };
        };
        responses: {
            /** @description A dry run. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JourneyTestResult"];
                };
            };
            /** @description A live test has started. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JourneyTestResult"];
                };
            };
        };
    };
    listJourneyVersions: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. All other parameters must be the same. */
                cursor?: string;
                /** @description Maximum number of items on a page. */
                limit?: number;
                /** @description `desc`: newest first. */
                order?: components["schemas"]["SortOrder"];
            };
            header?: never;
            path: {
                /** @description Id of the journey, jrn_…. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first, with the draft. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JourneyVersionSummaryPage"];
                };
            };
        };
    };
    getJourneyVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the journey, jrn_…. */
                id: string;
                /** @description The number of the version, `draft` or `published`. */
                version: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The version. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JourneyVersion"];
                };
            };
        };
    };
    compareJourneyVersions: {
        parameters: {
            query?: {
                /** @description The version to compare with. Default: the one before. */
                from?: string;
            };
            header?: never;
            path: {
                /** @description Id of the journey, jrn_…. */
                id: string;
                /** @description The number of the version, `draft` or `published`. */
                version: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What is different. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JourneyDifference"];
                };
            };
        };
    };
    listLists: {
        parameters: {
            query?: {
                /** @description `true`: with `total`, the number of items on all pages: exact up to 10,000, above that this number and `exact: false`. */
                count?: components["schemas"]["CountFlag"];
                /** @description Only items with a later `created_at`. */
                created_after?: string;
                /** @description Only items with an earlier `created_at`. */
                created_before?: string;
                /** @description `next_cursor` of the previous page. All other parameters must be the same. */
                cursor?: string;
                /** @description Maximum number of items on a page. */
                limit?: number;
                /** @description `desc`: newest first. */
                order?: components["schemas"]["SortOrder"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactListPage"];
                };
            };
        };
    };
    createList: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateListRequest"];
            };
        };
        responses: {
            /** @description The list. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactList"];
                };
            };
        };
    };
    getList: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactList"];
                };
            };
        };
    };
    deleteList: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The list is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateList: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateListRequest"];
            };
        };
        responses: {
            /** @description The list after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactList"];
                };
            };
        };
    };
    listMembers: {
        parameters: {
            query?: {
                as_of?: string;
                /** @description Only items with a later `since`. */
                created_after?: string;
                /** @description Only items with an earlier `since`. */
                created_before?: string;
                /** @description `next_cursor` of the previous page. All other parameters must be the same. */
                cursor?: string;
                /** @description `contact`: each member with its name and addresses, as they are now. */
                include?: components["schemas"]["ListMemberInclude"];
                /** @description Maximum number of items on a page. */
                limit?: number;
                /** @description `desc`: newest first. */
                order?: components["schemas"]["SortOrder"];
                status?: components["schemas"]["MembershipStatus"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListMemberPage"];
                };
            };
        };
    };
    addMembers: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AddMembersRequest"];
            };
        };
        responses: {
            /** @description The result for each contact. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddMembersResult"];
                };
            };
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                contact_id: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The contact is not a member of the list. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    resendConfirmation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                contact_id: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The mail is on its way. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResentConfirmation"];
                };
            };
        };
    };
    resubscribeMember: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path: {
                contact_id: string;
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResubscribeRequest"];
            };
        };
        responses: {
            /** @description The membership. `unchanged` has the reason where nothing changed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResubscribeResult"];
                };
            };
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Who is calling. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
        };
    };
    listMessages: {
        parameters: {
            query?: {
                /** @description Messages of one bulk request. */
                batch_id?: string;
                /** @description Messages of one campaign. */
                campaign_id?: string;
                channel?: components["schemas"]["Channel"];
                /** @description Messages to one contact: by its id, or to one of its current addresses. */
                contact_id?: string;
                /** @description `true`: with `total`, the number of items on all pages: exact up to 10,000, above that this number and `exact: false`. */
                count?: components["schemas"]["CountFlag"];
                /** @description Only items with a later `created_at`. */
                created_after?: string;
                /** @description Only items with an earlier `created_at`. */
                created_before?: string;
                /** @description `next_cursor` of the previous page. All other parameters must be the same. */
                cursor?: string;
                /** @description Messages of one journey. */
                journey_id?: string;
                /** @description Maximum number of items on a page. */
                limit?: number;
                /** @description `desc`: newest first. */
                order?: components["schemas"]["SortOrder"];
                status?: components["schemas"]["MessageStatus"];
                status_reason?: components["schemas"]["StatusReason"];
                /** @description Messages with this tag. */
                tag?: string;
                /** @description Messages that were made from one template. */
                template_id?: string;
                /** @description Recipient: a phone number or an email address, in any spelling; of `push` and `in_app` the id of a contact. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of messages. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessagePage"];
                };
            };
        };
    };
    getMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Message id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the message, with all of its content. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageWithContent"];
                };
            };
        };
    };
    cancelMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Message id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message is canceled, or is not handed over again. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CanceledMessage"];
                };
            };
        };
    };
    listMessageEvents: {
        parameters: {
            query?: {
                /** @description Only items with a later `occurred_at`. */
                created_after?: string;
                /** @description Only items with an earlier `occurred_at`. */
                created_before?: string;
                /** @description `next_cursor` of the previous page. All other parameters must be the same. */
                cursor?: string;
                /** @description Maximum number of items on a page. */
                limit?: number;
                /** @description `asc`: oldest first. */
                order?: components["schemas"]["SortOrder"];
            };
            header?: never;
            path: {
                /** @description Message id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageEventPage"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Only items with a later `created_at`. */
                created_after?: string;
                /** @description Only items with an earlier `created_at`. */
                created_before?: string;
                /** @description `next_cursor` of the previous page. All other parameters must be the same. */
                cursor?: string;
                /** @description Maximum number of items on a page. */
                limit?: number;
                /** @description `desc`: newest first. */
                order?: components["schemas"]["SortOrder"];
            };
            header?: never;
            path: {
                /** @description Message id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryPage"];
                };
            };
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                delivery_id: string;
                /** @description Message id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryDetail"];
                };
            };
        };
    };
    redeliverWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                delivery_id: string;
                /** @description Message id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The attempt is scheduled. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Redelivery"];
                };
            };
        };
    };
    explainMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Message id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The chain, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageExplanation"];
                };
            };
        };
    };
    sendMessages: {
        parameters: {
            query?: {
                /** @description `summary` leaves out `messages`. */
                response?: components["schemas"]["BulkResponseDetail"];
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 33554432 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendMessagesRequest"] | components["schemas"]["BulkMessage"][];
            };
        };
        responses: {
            /** @description Accepted and stored. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedBatch"];
                };
            };
        };
    };
    getBatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                batch_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The number of its messages in each status. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Batch"];
                };
            };
        };
    };
    sendMessage: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 16777216 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendMessageRequest"];
            };
        };
        responses: {
            /** @description With `dry_run`: the expected result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedMessage"];
                };
            };
            /** @description Accepted and stored. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedMessage"];
                };
            };
        };
    };
    getOpenApiDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetOpenApiDocumentResult"];
                };
            };
        };
    };
    getOverview: {
        parameters: {
            query?: {
                /** @description Its length: whole hours, days or weeks, 31 days at most. */
                period?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The overview. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Overview"];
                };
            };
        };
    };
    recordClick: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description From a link in a message. */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    startForm: {
        parameters: {
            query?: {
                /** @description Language of the page, of en, de, fr, es, pl; it comes before that of the browser. */
                lang?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Counted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    submitForm: {
        parameters: {
            query?: {
                /** @description Language of the page, of en, de, fr, es, pl; it comes before that of the browser. */
                lang?: string;
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 131072 bytes. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FormSubmissionRequest"];
                "application/x-www-form-urlencoded": {
                    [key: string]: string;
                };
                "multipart/form-data": {
                    [key: string]: string;
                };
            };
        };
        responses: {
            /** @description Accepted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedFormSubmission"];
                };
            };
        };
    };
    showFormConfirmation: {
        parameters: {
            query?: {
                /** @description Language of the page, of en, de, fr, es, pl; it comes before that of the browser. */
                lang?: string;
            };
            header?: never;
            path: {
                /** @description From the link in the mail. */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    confirmFormSubmission: {
        parameters: {
            query?: {
                /** @description Language of the page, of en, de, fr, es, pl; it comes before that of the browser. */
                lang?: string;
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path: {
                /** @description From the link in the mail. */
                token: string;
            };
            cookie?: never;
        };
        /** @description At most 65536 bytes. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ConfirmFormSubmissionRequest"];
                "application/x-www-form-urlencoded": components["schemas"]["ConfirmFormSubmissionRequest"];
                "multipart/form-data": components["schemas"]["ConfirmFormSubmissionRequest"];
            };
        };
        responses: {
            /** @description Confirmed; a page that says so. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    showListConfirmation: {
        parameters: {
            query?: {
                /** @description Language of the page, of en, de, fr, es, pl; it comes before that of the browser. */
                lang?: string;
            };
            header?: never;
            path: {
                /** @description From the link in the mail. */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    confirmListMembership: {
        parameters: {
            query?: {
                /** @description Language of the page, of en, de, fr, es, pl; it comes before that of the browser. */
                lang?: string;
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path: {
                /** @description From the link in the mail. */
                token: string;
            };
            cookie?: never;
        };
        /** @description At most 65536 bytes. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ConfirmListMembershipRequest"];
                "application/x-www-form-urlencoded": components["schemas"]["ConfirmListMembershipRequest"];
                "multipart/form-data": components["schemas"]["ConfirmListMembershipRequest"];
            };
        };
        responses: {
            /** @description Subscribed; a page that confirms it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    recordOpen: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description From a link in a message. */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A transparent picture of one pixel. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/gif": string;
                };
            };
        };
    };
    showPreferences: {
        parameters: {
            query?: {
                /** @description Language of the page, of en, de, fr, es, pl; it comes before that of the browser. */
                lang?: string;
            };
            header?: never;
            path: {
                /** @description From a link in a message. */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    savePreferences: {
        parameters: {
            query?: {
                /** @description Language of the page, of en, de, fr, es, pl; it comes before that of the browser. */
                lang?: string;
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path: {
                /** @description From a link in a message. */
                token: string;
            };
            cookie?: never;
        };
        /** @description At most 65536 bytes. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SavePreferencesRequest"];
                "application/x-www-form-urlencoded": components["schemas"]["SavePreferencesRequest"];
                "multipart/form-data": components["schemas"]["SavePreferencesRequest"];
            };
        };
        responses: {
            /** @description Saved; the updated page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    reportPushEvent: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 32768 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PushReport"];
            };
        };
        responses: {
            /** @description Recorded, or known already. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    showUnsubscribePage: {
        parameters: {
            query?: {
                /** @description Language of the page, of en, de, fr, es, pl; it comes before that of the browser. */
                lang?: string;
            };
            header?: never;
            path: {
                /** @description From a link in a message. */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    unsubscribe: {
        parameters: {
            query?: {
                /** @description Language of the page, of en, de, fr, es, pl; it comes before that of the browser. */
                lang?: string;
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path: {
                /** @description From a link in a message. */
                token: string;
            };
            cookie?: never;
        };
        /** @description At most 65536 bytes. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UnsubscribeRequest"];
                "application/x-www-form-urlencoded": components["schemas"]["UnsubscribeRequest"];
                "multipart/form-data": components["schemas"]["UnsubscribeRequest"];
            };
        };
        responses: {
            /** @description Unsubscribed; a page that confirms it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    getPushKey: {
        parameters: {
            query: {
                /** @description The public id of the account. */
                account_id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A point of P-256 in base64url. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PushKey"];
                };
            };
        };
    };
    subscribeToPush: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 32768 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PushSubscribeRequest"];
            };
        };
        responses: {
            /** @description The device was subscribed already; what differs is changed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PushSubscribed"];
                };
            };
            /** @description The device is subscribed. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PushSubscribed"];
                };
            };
        };
    };
    listPushSubscriptions: {
        parameters: {
            query: {
                /** @description The contact. */
                contact_id: string;
                status?: components["schemas"]["PushSubscriptionStatus"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description In the order in which they were subscribed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PushSubscriptions"];
                };
            };
        };
    };
    endPushSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ended. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    unsubscribeFromPush: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 32768 bytes. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PushUnsubscribeRequest"];
            };
        };
        responses: {
            /** @description The device gets no more push messages. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PushUnsubscribed"];
                };
            };
        };
    };
    simulateInboundMessage: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SimulateInboundMessageRequest"];
            };
        };
        responses: {
            /** @description The text is stored. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboundMessage"];
                };
            };
        };
    };
    listSandboxMessages: {
        parameters: {
            query?: {
                /** @description Only items with a later `created_at`. */
                created_after?: string;
                /** @description Only items with an earlier `created_at`. */
                created_before?: string;
                /** @description `next_cursor` of the previous page. All other parameters must be the same. */
                cursor?: string;
                /** @description Maximum number of items on a page. */
                limit?: number;
                /** @description The hand-overs of one message. */
                message_id?: string;
                /** @description `desc`: newest first. */
                order?: components["schemas"]["SortOrder"];
                /** @description Recipient: a phone number or an email address, in any spelling. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of hand-overs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxMessagePage"];
                };
            };
        };
    };
    listScores: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every score. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScoreOverview"];
                };
            };
        };
    };
    getScoreDistribution: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Percentiles and bands. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScoreDistribution"];
                };
            };
        };
    };
    drawScoreDistribution: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                };
            };
        };
    };
    drawScoreReliability: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                };
            };
        };
    };
    refitScores: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    listSegments: {
        parameters: {
            query?: {
                /** @description `true`: with `total`, the number of items on all pages: exact up to 10,000, above that this number and `exact: false`. */
                count?: components["schemas"]["CountFlag"];
                /** @description Only items with a later `created_at`. */
                created_after?: string;
                /** @description Only items with an earlier `created_at`. */
                created_before?: string;
                /** @description `next_cursor` of the previous page. All other parameters must be the same. */
                cursor?: string;
                /** @description Maximum number of items on a page. */
                limit?: number;
                /** @description `desc`: newest first. */
                order?: components["schemas"]["SortOrder"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SegmentPage"];
                };
            };
        };
    };
    createSegment: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSegmentRequest"];
            };
        };
        responses: {
            /** @description The segment. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Segment"];
                };
            };
        };
    };
    getSegment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The segment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Segment"];
                };
            };
        };
    };
    deleteSegment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The segment is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateSegment: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateSegmentRequest"];
            };
        };
        responses: {
            /** @description The segment after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Segment"];
                };
            };
        };
    };
    listSegmentContacts: {
        parameters: {
            query?: {
                as_of?: string;
                /** @description Only items with a later `created_at`. */
                created_after?: string;
                /** @description Only items with an earlier `created_at`. */
                created_before?: string;
                /** @description `next_cursor` of the previous page. All other parameters must be the same. */
                cursor?: string;
                /** @description Maximum number of items on a page. */
                limit?: number;
                /** @description `desc`: newest first. */
                order?: components["schemas"]["SortOrder"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of contacts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SegmentContactPage"];
                };
            };
        };
    };
    explainSegmentMembership: {
        parameters: {
            query: {
                as_of?: string;
                /** @description The id of a merged contact asks about the contact that it is merged into. */
                contact_id: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The explanation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SegmentExplanation"];
                };
            };
        };
    };
    getSegmentHistory: {
        parameters: {
            query: {
                contact_id: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The changes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SegmentHistory"];
                };
            };
        };
    };
    previewSegment: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewSegmentRequest"];
            };
        };
        responses: {
            /** @description The number of contacts and some of them. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SegmentPreview"];
                };
            };
        };
    };
    listSendingDomains: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The domains, in the order of the alphabet. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListSendingDomainsResult"];
                };
            };
        };
    };
    checkSendingDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Such as `example.com`. */
                domain: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the DNS has now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendingDomain"];
                };
            };
        };
    };
    listParkedWork: {
        parameters: {
            query?: {
                /** @description Only work of this account. */
                account?: string;
                /** @description Only items with a later parked. */
                created_after?: string;
                /** @description Only items with an earlier parked. */
                created_before?: string;
                /** @description `next_cursor` of the previous page. All other parameters must be the same. */
                cursor?: string;
                /** @description Maximum number of items on a page. */
                limit?: number;
                /** @description `desc`: newest first. */
                order?: components["schemas"]["SortOrder"];
                /** @description Only work of this process. */
                process?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ParkedWorkPage"];
                };
            };
        };
    };
    dropParkedWork: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the parked work, prk_…. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is given up. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DroppedWork"];
                };
            };
        };
    };
    retryParkedWork: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the parked work, prk_…. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is due. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetriedWork"];
                };
            };
        };
    };
    listProjections: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All projections. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Projection"][];
                };
            };
        };
    };
    listTemplatePartials: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. All other parameters must be the same. */
                cursor?: string;
                /** @description Maximum number of items on a page. */
                limit?: number;
                /** @description `asc`: oldest first. */
                order?: components["schemas"]["SortOrder"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description In the order of their keys. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplatePartialSummaryPage"];
                };
            };
        };
    };
    storeTemplatePartial: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["StoreTemplatePartialRequest"];
            };
        };
        responses: {
            /** @description The partial. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplatePartial"];
                };
            };
        };
    };
    getTemplatePartial: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The partial. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplatePartial"];
                };
            };
        };
    };
    deleteTemplatePartial: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The partial is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listTemplates: {
        parameters: {
            query?: {
                channel?: components["schemas"]["Channel"];
                /** @description `true`: with `total`, the number of items on all pages: exact up to 10,000, above that this number and `exact: false`. */
                count?: components["schemas"]["CountFlag"];
                /** @description Only items with a later `created_at`. */
                created_after?: string;
                /** @description Only items with an earlier `created_at`. */
                created_before?: string;
                /** @description `next_cursor` of the previous page. All other parameters must be the same. */
                cursor?: string;
                /** @description Maximum number of items on a page. */
                limit?: number;
                /** @description `desc`: newest first. */
                order?: components["schemas"]["SortOrder"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateSummaryPage"];
                };
            };
        };
    };
    createTemplate: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTemplateRequest"];
            };
        };
        responses: {
            /** @description The template. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
        };
    };
    getTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The template. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
        };
    };
    deleteTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The template is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateTemplate: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateTemplateRequest"];
            };
        };
        responses: {
            /** @description The template after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
        };
    };
    renderTemplate: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RenderTemplateRequest"];
            };
        };
        responses: {
            /** @description The fields of the message. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RenderedTemplate"];
                };
            };
        };
    };
    listTemplateVersions: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. All other parameters must be the same. */
                cursor?: string;
                /** @description Maximum number of items on a page. */
                limit?: number;
                /** @description `desc`: newest first. */
                order?: components["schemas"]["SortOrder"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateVersionPage"];
                };
            };
        };
    };
    listTemplateVariables: {
        parameters: {
            query?: {
                channel?: components["schemas"]["Channel"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The variables. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateVariableList"];
                };
            };
        };
    };
    listViews: {
        parameters: {
            query?: {
                /** @description Only items with a later `created_at`. */
                created_after?: string;
                /** @description Only items with an earlier `created_at`. */
                created_before?: string;
                /** @description `next_cursor` of the previous page. All other parameters must be the same. */
                cursor?: string;
                /** @description Maximum number of items on a page. */
                limit?: number;
                /** @description `desc`: newest first. */
                order?: components["schemas"]["SortOrder"];
                /** @description Only views of this page. */
                page?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedViewPage"];
                };
            };
        };
    };
    createView: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateViewRequest"];
            };
        };
        responses: {
            /** @description The view. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedView"];
                };
            };
        };
    };
    getView: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the view, vie_…. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The view. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedView"];
                };
            };
        };
    };
    deleteView: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the view, vie_…. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The view is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateView: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path: {
                /** @description Id of the view, vie_…. */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateViewRequest"];
            };
        };
        responses: {
            /** @description The view after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedView"];
                };
            };
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: {
                /** @description Only items with a later `created_at`. */
                created_after?: string;
                /** @description Only items with an earlier `created_at`. */
                created_before?: string;
                /** @description `next_cursor` of the previous page. All other parameters must be the same. */
                cursor?: string;
                /** @description Maximum number of items on a page. */
                limit?: number;
                /** @description `desc`: newest first. */
                order?: components["schemas"]["SortOrder"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointPage"];
                };
            };
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookEndpointRequest"];
            };
        };
        responses: {
            /** @description The new endpoint, with its secret. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint, without its secret and its headers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateWebhookEndpoint: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookEndpointRequest"];
            };
        };
        responses: {
            /** @description The endpoint after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
        };
    };
    listEndpointDeliveries: {
        parameters: {
            query?: {
                /** @description `true`: with `total`, the number of items on all pages: exact up to 10,000, above that this number and `exact: false`. */
                count?: components["schemas"]["CountFlag"];
                /** @description Only items with a later `created_at`. */
                created_after?: string;
                /** @description Only items with an earlier `created_at`. */
                created_before?: string;
                /** @description `next_cursor` of the previous page. All other parameters must be the same. */
                cursor?: string;
                event?: components["schemas"]["PlatformEvent"];
                /** @description Maximum number of items on a page. */
                limit?: number;
                /** @description `desc`: newest first. */
                order?: components["schemas"]["SortOrder"];
                status?: components["schemas"]["EndpointDeliveryStatus"];
            };
            header?: never;
            path: {
                /** @description Endpoint id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndpointDeliveryPage"];
                };
            };
        };
    };
    getEndpointDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                delivery_id: string;
                /** @description Endpoint id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndpointDeliveryDetail"];
                };
            };
        };
    };
    redeliverToEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                delivery_id: string;
                /** @description Endpoint id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The attempt is scheduled. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndpointRedelivery"];
                };
            };
        };
    };
    replayToEndpoint: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path: {
                /** @description Endpoint id. */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReplayToEndpointRequest"];
            };
        };
        responses: {
            /** @description The replay is accepted. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    rotateWebhookEndpointSecret: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 2097152 bytes. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateWebhookEndpointSecretRequest"];
            };
        };
        responses: {
            /** @description The endpoint with its new secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
        };
    };
    testWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What came of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PingResult"];
                };
            };
        };
    };
    receiveMail: {
        parameters: {
            query?: {
                /** @description Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`. */
                strict?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 26214400 bytes. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReceiveMailRequest"];
                "message/rfc822": string;
            };
        };
        responses: {
            /** @description What the mail was: a receipt of a message, an email from a person, or nothing that concerns a message. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IncomingMailResult"];
                };
            };
        };
    };
}
