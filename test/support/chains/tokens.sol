// SPDX-License-Identifier: Apache-2.0
// The contracts of the local chains. `node scripts/compile-contracts.ts` turns them into contracts.json.
pragma solidity ^0.8.20;

interface ContractSigner {
    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4);
}

/// A dollar with EIP-3009, which refuses with the words of the real one. It has no constructor, since its code is
/// planted at the real one's address. Whoever asks may mint, block and pause: it exists in tests alone.
contract LocalDollar {
    string public constant name = "USDC";
    string public constant symbol = "USDC";
    string public constant version = "2";
    uint8 public constant decimals = 6;

    bytes32 public constant TRANSFER_WITH_AUTHORIZATION_TYPEHASH = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 public constant CANCEL_AUTHORIZATION_TYPEHASH =
        keccak256("CancelAuthorization(address authorizer,bytes32 nonce)");

    mapping(address => uint256) public balanceOf;
    mapping(address => bool) public isBlacklisted;
    mapping(address => mapping(bytes32 => bool)) public authorizationState;
    mapping(address => mapping(address => uint256)) public allowance;
    uint256 public totalSupply;
    bool public paused;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);
    event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce);

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256(bytes(name)),
                keccak256(bytes(version)),
                block.chainid,
                address(this)
            )
        );
    }

    function mint(address to, uint256 value) external {
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function block_(address account, bool blocked) external {
        isBlacklisted[account] = blocked;
    }

    function pause(bool on) external {
        paused = on;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        require(allowance[from][msg.sender] >= value, "ERC20: transfer amount exceeds allowance");
        allowance[from][msg.sender] -= value;
        move(from, to, value);
        return true;
    }

    function transferWithAuthorization(
        address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce,
        uint8 v, bytes32 r, bytes32 s
    ) external {
        transferWithAuthorization(from, to, value, validAfter, validBefore, nonce, abi.encodePacked(r, s, v));
    }

    function transferWithAuthorization(
        address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce,
        bytes memory signature
    ) public {
        require(block.timestamp > validAfter, "FiatTokenV2: authorization is not yet valid");
        require(block.timestamp < validBefore, "FiatTokenV2: authorization is expired");
        require(!authorizationState[from][nonce], "FiatTokenV2: authorization is used or canceled");
        requireSignature(
            from,
            keccak256(
                abi.encode(TRANSFER_WITH_AUTHORIZATION_TYPEHASH, from, to, value, validAfter, validBefore, nonce)
            ),
            signature
        );
        authorizationState[from][nonce] = true;
        emit AuthorizationUsed(from, nonce);
        move(from, to, value);
    }

    function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) external {
        cancelAuthorization(authorizer, nonce, abi.encodePacked(r, s, v));
    }

    function cancelAuthorization(address authorizer, bytes32 nonce, bytes memory signature) public {
        require(!authorizationState[authorizer][nonce], "FiatTokenV2: authorization is used or canceled");
        requireSignature(
            authorizer, keccak256(abi.encode(CANCEL_AUTHORIZATION_TYPEHASH, authorizer, nonce)), signature
        );
        authorizationState[authorizer][nonce] = true;
        emit AuthorizationCanceled(authorizer, nonce);
    }

    function requireSignature(address signer, bytes32 structHash, bytes memory signature) private view {
        bytes32 digest = keccak256(abi.encodePacked("\x19\x01", DOMAIN_SEPARATOR(), structHash));
        if (signer.code.length > 0) {
            (bool answered, bytes memory word) =
                signer.staticcall(abi.encodeCall(ContractSigner.isValidSignature, (digest, signature)));
            require(
                answered && word.length >= 32 && abi.decode(word, (bytes4)) == 0x1626ba7e,
                "FiatTokenV2: invalid signature"
            );
            return;
        }
        require(signature.length == 65, "ECRecover: invalid signature length");
        bytes32 r;
        bytes32 s;
        uint8 v;
        assembly {
            r := mload(add(signature, 0x20))
            s := mload(add(signature, 0x40))
            v := byte(0, mload(add(signature, 0x60)))
        }
        require(
            uint256(s) <= 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0,
            "ECRecover: invalid signature 's' value"
        );
        require(v == 27 || v == 28, "ECRecover: invalid signature 'v' value");
        address recovered = ecrecover(digest, v, r, s);
        require(recovered != address(0) && recovered == signer, "FiatTokenV2: invalid signature");
    }

    function move(address from, address to, uint256 value) private {
        require(!paused, "Pausable: paused");
        require(!isBlacklisted[from] && !isBlacklisted[to], "Blacklistable: account is blacklisted");
        require(to != address(0), "ERC20: transfer to the zero address");
        require(balanceOf[from] >= value, "ERC20: transfer amount exceeds balance");
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}

/// A wallet that is a contract: it agrees with its owner's signature, longer by one byte so that it is no key's.
contract LocalWallet {
    address public owner;

    function own(address newOwner) external {
        owner = newOwner;
    }

    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        if (signature.length != 66) return 0xffffffff;
        bytes32 r = bytes32(signature[0:32]);
        bytes32 s = bytes32(signature[32:64]);
        return ecrecover(digest, uint8(signature[64]), r, s) == owner ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
    }
}

struct TokenPermissions {
    address token;
    uint256 amount;
}

struct PermitTransferFrom {
    TokenPermissions permitted;
    uint256 nonce;
    uint256 deadline;
}

struct SignatureTransferDetails {
    address to;
    uint256 requestedAmount;
}

/// The part of Permit2 that carries out signed transfers with a witness. Like the real one, it hides why the token
/// refused a transfer.
contract LocalPermit2 {
    mapping(address => mapping(uint256 => uint256)) public nonceBitmap;

    error InvalidNonce();
    error InvalidSigner();
    error InvalidAmount(uint256 maxAmount);
    error SignatureExpired(uint256 deadline);

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,uint256 chainId,address verifyingContract)"),
                keccak256("Permit2"),
                block.chainid,
                address(this)
            )
        );
    }

    function invalidateUnorderedNonces(uint256 word, uint256 mask) external {
        nonceBitmap[msg.sender][word] |= mask;
    }

    function permitWitnessTransferFrom(
        PermitTransferFrom calldata permit,
        SignatureTransferDetails calldata details,
        address owner,
        bytes32 witness,
        string calldata witnessTypeString,
        bytes calldata signature
    ) external {
        if (block.timestamp > permit.deadline) revert SignatureExpired(permit.deadline);
        if (details.requestedAmount > permit.permitted.amount) revert InvalidAmount(permit.permitted.amount);
        uint256 bit = 1 << (permit.nonce & 0xff);
        if (nonceBitmap[owner][permit.nonce >> 8] & bit != 0) revert InvalidNonce();
        nonceBitmap[owner][permit.nonce >> 8] |= bit;
        if (recover(digestOf(permit, witness, witnessTypeString), signature) != owner) revert InvalidSigner();
        try LocalDollar(permit.permitted.token).transferFrom(owner, details.to, details.requestedAmount) {}
        catch {
            revert("TRANSFER_FROM_FAILED");
        }
    }

    function digestOf(PermitTransferFrom calldata permit, bytes32 witness, string calldata witnessTypeString)
        private
        view
        returns (bytes32)
    {
        bytes32 typeHash = keccak256(
            abi.encodePacked(
                "PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,",
                witnessTypeString
            )
        );
        bytes32 permitted = keccak256(
            abi.encode(
                keccak256("TokenPermissions(address token,uint256 amount)"),
                permit.permitted.token,
                permit.permitted.amount
            )
        );
        bytes32 struct_ =
            keccak256(abi.encode(typeHash, permitted, msg.sender, permit.nonce, permit.deadline, witness));
        return keccak256(abi.encodePacked("\x19\x01", DOMAIN_SEPARATOR(), struct_));
    }

    function recover(bytes32 digest, bytes calldata signature) private pure returns (address) {
        if (signature.length != 65) revert InvalidSigner();
        address signer =
            ecrecover(digest, uint8(signature[64]), bytes32(signature[0:32]), bytes32(signature[32:64]));
        if (signer == address(0)) revert InvalidSigner();
        return signer;
    }
}

/// The contract of the scheme upto: only the facilitator that a permit names takes at most the permitted amount.
contract LocalUptoProxy {
    struct Witness {
        address to;
        address facilitator;
        uint256 validAfter;
    }

    address public constant PERMIT2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3;

    error UnauthorizedFacilitator();
    error AmountExceedsPermitted();
    error InvalidAmount();
    error PaymentTooEarly();

    function settle(
        PermitTransferFrom calldata permit,
        uint256 amount,
        address owner,
        Witness calldata witness,
        bytes calldata signature
    ) external {
        if (amount > permit.permitted.amount) revert AmountExceedsPermitted();
        if (msg.sender != witness.facilitator) revert UnauthorizedFacilitator();
        if (amount == 0) revert InvalidAmount();
        if (block.timestamp < witness.validAfter) revert PaymentTooEarly();
        bytes32 hash = keccak256(
            abi.encode(
                keccak256("Witness(address to,address facilitator,uint256 validAfter)"),
                witness.to,
                witness.facilitator,
                witness.validAfter
            )
        );
        LocalPermit2(PERMIT2).permitWitnessTransferFrom(
            permit,
            SignatureTransferDetails(witness.to, amount),
            owner,
            hash,
            "Witness witness)TokenPermissions(address token,uint256 amount)Witness(address to,address facilitator,uint256 validAfter)",
            signature
        );
    }
}

interface Tip20 {
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

struct ChannelDescriptor {
    address payer;
    address payee;
    address operator;
    address token;
    bytes32 salt;
    address authorizedSigner;
    bytes32 expiringNonceHash;
}

struct ChannelState {
    uint96 settled;
    uint96 deposit;
    uint32 closeRequestedAt;
}

/// What TIP-1034 says of the channel escrow of Tempo, for a node that does not have it yet. The real one knows the hash
/// of the transaction that opens a channel. This one is told it in the first storage slot, by payer and salt. The real
/// one moves tokens without an allowance.
contract LocalChannelEscrow {
    mapping(address => mapping(bytes32 => bytes32)) public announced;
    mapping(bytes32 => ChannelState) private states;

    uint64 public constant CLOSE_GRACE_PERIOD = 15 minutes;
    bytes32 public constant VOUCHER_TYPEHASH = keccak256("Voucher(bytes32 channelId,uint96 cumulativeAmount)");

    error NotPayer();
    error NotPayeeOrOperator();
    error ChannelNotFound();
    error ChannelAlreadyExists();
    error ZeroDeposit();
    error AmountExceedsDeposit();
    error CaptureAmountInvalid();
    error InvalidSignature();
    error CloseNotReady();

    event ChannelOpened(
        bytes32 indexed channelId,
        address indexed payer,
        address indexed payee,
        address operator,
        address token,
        address authorizedSigner,
        bytes32 salt,
        bytes32 expiringNonceHash,
        uint96 deposit
    );
    event TopUp(
        bytes32 indexed channelId,
        address indexed payer,
        address indexed payee,
        uint96 additionalDeposit,
        uint96 newDeposit
    );
    event CloseRequested(
        bytes32 indexed channelId, address indexed payer, address indexed payee, uint256 closeGraceEnd
    );
    event ChannelClosed(
        bytes32 indexed channelId,
        address indexed payer,
        address indexed payee,
        uint96 settledToPayee,
        uint96 refundedToPayer
    );

    function open(
        address payee,
        address operator,
        address token,
        uint96 deposit,
        bytes32 salt,
        address authorizedSigner
    ) external returns (bytes32 id) {
        bytes32 nonceHash = announced[msg.sender][salt];
        id = idOf(ChannelDescriptor(msg.sender, payee, operator, token, salt, authorizedSigner, nonceHash));
        if (deposit == 0) revert ZeroDeposit();
        if (states[id].deposit != 0) revert ChannelAlreadyExists();
        states[id].deposit = deposit;
        Tip20(token).transferFrom(msg.sender, address(this), deposit);
        emit ChannelOpened(
            id, msg.sender, payee, operator, token, authorizedSigner, salt, nonceHash, deposit
        );
    }

    function topUp(ChannelDescriptor calldata named, uint96 additionalDeposit) external {
        (bytes32 id, ChannelState storage state) = find(named);
        if (msg.sender != named.payer) revert NotPayer();
        state.deposit += additionalDeposit;
        state.closeRequestedAt = 0;
        Tip20(named.token).transferFrom(msg.sender, address(this), additionalDeposit);
        emit TopUp(id, named.payer, named.payee, additionalDeposit, state.deposit);
    }

    function close(
        ChannelDescriptor calldata named,
        uint96 cumulativeAmount,
        uint96 captureAmount,
        bytes calldata signature
    ) external {
        (bytes32 id, ChannelState storage state) = find(named);
        if (msg.sender != named.payee && msg.sender != named.operator) revert NotPayeeOrOperator();
        if (captureAmount < state.settled || captureAmount > cumulativeAmount) revert CaptureAmountInvalid();
        if (captureAmount > state.deposit) revert AmountExceedsDeposit();
        if (captureAmount > state.settled) requireVoucher(named, id, cumulativeAmount, signature);
        end(named, id, captureAmount);
    }

    function requestClose(ChannelDescriptor calldata named) external {
        (bytes32 id, ChannelState storage state) = find(named);
        if (msg.sender != named.payer) revert NotPayer();
        if (state.closeRequestedAt == 0) state.closeRequestedAt = uint32(block.timestamp);
        emit CloseRequested(id, named.payer, named.payee, block.timestamp + CLOSE_GRACE_PERIOD);
    }

    function withdraw(ChannelDescriptor calldata named) external {
        (bytes32 id, ChannelState storage state) = find(named);
        if (msg.sender != named.payer) revert NotPayer();
        if (state.closeRequestedAt == 0 || block.timestamp < state.closeRequestedAt + CLOSE_GRACE_PERIOD) {
            revert CloseNotReady();
        }
        end(named, id, state.settled);
    }

    function getChannelState(bytes32 id) external view returns (ChannelState memory) {
        return states[id];
    }

    function end(ChannelDescriptor calldata named, bytes32 id, uint96 captured) private {
        ChannelState memory state = states[id];
        delete states[id];
        uint96 refund = state.deposit - captured;
        if (captured > state.settled) Tip20(named.token).transfer(named.payee, captured - state.settled);
        if (refund > 0) Tip20(named.token).transfer(named.payer, refund);
        emit ChannelClosed(id, named.payer, named.payee, captured, refund);
    }

    function find(ChannelDescriptor calldata named) private view returns (bytes32 id, ChannelState storage state) {
        id = idOf(named);
        state = states[id];
        if (state.deposit == 0) revert ChannelNotFound();
    }

    function idOf(ChannelDescriptor memory named) private view returns (bytes32) {
        return keccak256(
            abi.encode(
                named.payer,
                named.payee,
                named.operator,
                named.token,
                named.salt,
                named.authorizedSigner,
                named.expiringNonceHash,
                address(this),
                block.chainid
            )
        );
    }

    function requireVoucher(
        ChannelDescriptor calldata named,
        bytes32 id,
        uint96 cumulativeAmount,
        bytes calldata signature
    ) private view {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("TIP20 Channel Reserve"),
                keccak256("1"),
                block.chainid,
                address(this)
            )
        );
        bytes32 voucher = keccak256(abi.encode(VOUCHER_TYPEHASH, id, cumulativeAmount));
        bytes32 digest = keccak256(abi.encodePacked("\x19\x01", domain, voucher));
        if (signature.length != 65) revert InvalidSignature();
        address signer =
            ecrecover(digest, uint8(signature[64]), bytes32(signature[0:32]), bytes32(signature[32:64]));
        address expected = named.authorizedSigner == address(0) ? named.payer : named.authorizedSigner;
        if (signer == address(0) || signer != expected) revert InvalidSignature();
    }
}
