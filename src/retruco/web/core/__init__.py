"""What every product of the web package stands on: application, server, security, requests, store."""
